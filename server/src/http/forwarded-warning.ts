// Warns once if an untrusted proxy forwards requests, since all clients then share its IP address.
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../lib/logger.js';

export function forwardedHeaderWarning(logger: Logger) {
  let warned = false;
  return (req: Request, _res: Response, next: NextFunction): void => {
    if (!warned && (req.headers['x-forwarded-for'] !== undefined || req.headers.forwarded !== undefined)) {
      warned = true;
      logger.warn(
        'a request came with forwarded headers, which are not believed: set TRUST_PROXY to the proxies',
      );
    }
    next();
  };
}
