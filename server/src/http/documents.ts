// The OpenAPI document, at `{base_url}/openapi.json`, and the page at /docs that shows it without asking any other host.
import { docsSite, documentAt, documents } from '@foyer/openapi';
import { Router } from 'express';
import type { Config } from '../env.js';
import type { Endpoint } from './no-such-route.js';

const apiPath = '/api/v2';
const documentPath = '/openapi.json';

// By its path and not its address, so that the page stays on its own origin whatever BASE_URL says.
const site = docsSite({ path: '/docs', documentUrl: `${apiPath}${documentPath}` });

export const documentEndpoints: Endpoint[] = [{ method: 'GET', path: documentPath }];
export const pageEndpoints: Endpoint[] = site.map(({ path }) => ({ method: 'GET', path }));

/** Mounted below the API's prefix. */
export function apiDocument(config: Config): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const body = JSON.stringify(documentAt(documents.v2, `${config.baseUrl}${apiPath}`));
  router.get(documentPath, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.type('application/json').send(body);
  });
  return router;
}

export function documentPages(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, headers, body } of site) {
    router.get(path, (_req, res) => {
      res.set(headers).send(body);
    });
  }
  return router;
}
