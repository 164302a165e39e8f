// The OpenAPI document of each version, at `/api/<version>/openapi.json`, and the page at /docs that shows v2's without
// asking any other host and meets whoever opens the service in a browser.
import { docsSite, documentAt, documents } from '@foyer/openapi';
import { Router } from 'express';
import type { Config } from '../env.js';
import { demandHost } from './broken-request.js';
import { type Endpoint, leaveOptions } from './no-such-route.js';
import { staticDocument } from './static-document.js';

const documentPath = '/openapi.json';
const docsPath = '/docs';

// By its path and not its address, so that the page stays on its own origin whatever BASE_URL says.
const site = docsSite({ path: docsPath, documentUrl: `/api/v2${documentPath}` });

export const documentEndpoints: Endpoint[] = [{ method: 'GET', path: documentPath }];
export const pageEndpoints: Endpoint[] = site.map(({ path }) => ({ method: 'GET', path }));

/** Mounted below the prefix of the version. */
export function apiDocument(config: Config, version: keyof typeof documents): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  const document = staticDocument(
    () => Buffer.from(JSON.stringify(documentAt(documents[version], `${config.baseUrl}/api/${version}`))),
    { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
  );
  // In v1 it stands before the headers of the app, and what else demands a Host stands behind them.
  router.get(documentPath, demandHost, document);
  return router;
}

export function documentPages(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  // A browser at the bare address is led to the page; a program there has a wrong address, and is told so.
  router.get('/', (req, res, next) => {
    res.vary('Accept');
    if (req.accepts(['json', 'html']) === 'html') res.redirect(docsPath);
    else next();
  });
  for (const { path, headers, body } of site) {
    router.get(
      path,
      staticDocument(() => body, headers),
    );
  }
  return router;
}
