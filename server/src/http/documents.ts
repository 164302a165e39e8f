// The OpenAPI document and the page that shows it.
import { Router } from 'express';
import type { Config } from '../env.js';

export const documents = {
  api(_config: Config): Router {
    return Router({ caseSensitive: true, strict: true });
  },
  pages(): Router {
    return Router({ caseSensitive: true, strict: true });
  },
};
