// The OpenAPI document of each version at `/api/<version>/openapi.json`, and the self-contained documentation page of v2 at
// /docs.
import { docsSite, documentAt, documents } from '@foyer/openapi';
import { Router } from 'express';
import type { Config } from '../env.js';
import { requireHost } from './broken-request.js';
import { type Endpoint, leaveOptions } from './no-such-route.js';
import { signpost } from './signposts.js';
import { staticDocument } from './static-document.js';

const documentPath = '/openapi.json';
const docsPath = '/docs';

// A path instead of a URL, so that the page stays on its own origin independent of BASE_URL.
const site = docsSite({ path: docsPath, documentUrl: `/api/v2${documentPath}` });

const get = (path: string): Endpoint => ({ method: 'GET', path });
export const documentEndpoints: Endpoint[] = ['/', documentPath].map(get);
export const pageEndpoints: Endpoint[] = ['/', `${docsPath}/`, ...site.map(({ path }) => path)].map(get);

/** Mounted below the prefix of the version. */
export function apiDocument(config: Config, version: keyof typeof documents): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  const document = staticDocument(
    () => Buffer.from(JSON.stringify(documentAt(documents[version], `${config.baseUrl}/api/${version}`))),
    { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
  );
  // In v1 it is mounted before the middleware that requires a Host.
  router.get(documentPath, requireHost, document);
  router.get('/', requireHost, signpost(config.baseUrl, docsPath));
  return router;
}

export function documentPages(config: Config): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  router.get('/', requireHost, signpost(config.baseUrl, docsPath));
  router.get(`${docsPath}/`, (_req, res) => res.redirect(docsPath));
  for (const { path, headers, body } of site) {
    router.get(
      path,
      staticDocument(() => body, headers),
    );
  }
  return router;
}
