// The OpenAPI document of each version at `/api/<version>/openapi.json`, the self-contained documentation page of v2 at
// /docs, and what `/`, `/api/v1` and `/api/v2` answer: links to these, or for browsers a redirect to the page.
import { docsSite, documentAt, readDocument } from '@foyer/openapi';
import { type RequestHandler, Router } from 'express';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../env.js';
import { requireHost } from './broken-request.js';
import { dashboardPath } from './dashboard.js';
import { type Endpoint, leaveOptions } from './no-such-route.js';
import { staticDocument } from './static-document.js';

const { version } = manifest;
const documentPath = '/openapi.json';
const docsPath = '/docs';

// A path instead of a URL, so that the page stays on its own origin independent of BASE_URL.
const site = docsSite({ path: docsPath, documentUrl: `/api/v2${documentPath}` });

const get = (path: string): Endpoint => ({ method: 'GET', path });
export const documentEndpoints: Endpoint[] = ['/', documentPath].map(get);
export const pageEndpoints: Endpoint[] = ['/', `${docsPath}/`, ...site.map(({ path }) => path)].map(get);

/** Mounted below the prefix of the version. */
export function apiDocument(config: Config, api: 'v1' | 'v2'): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  const document = staticDocument(
    () => Buffer.from(JSON.stringify(documentAt(readDocument(api), `${config.baseUrl}/api/${api}`))),
    { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
  );
  // In v1 it is mounted before the middleware that requires a Host.
  router.get(documentPath, requireHost, document);
  router.get('/', requireHost, links(config));
  return router;
}

export function documentPages(config: Config): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  router.get('/', requireHost, links(config));
  router.get(`${docsPath}/`, (_req, res) => res.redirect(docsPath));
  for (const { path, headers, readBody } of site) router.get(path, staticDocument(readBody, headers));
  return router;
}

function links({ baseUrl }: Config): RequestHandler {
  const data = {
    name: 'Foyer',
    version,
    documentation: `${baseUrl}${docsPath}`,
    dashboard: `${baseUrl}${dashboardPath}`,
    api: { v2: `${baseUrl}/api/v2`, v1: `${baseUrl}/api/v1` },
    openapi: { v2: `${baseUrl}/api/v2/openapi.json`, v1: `${baseUrl}/api/v1/openapi.json` },
    health: { live: `${baseUrl}/healthz`, ready: `${baseUrl}/readyz` },
  };
  return (req, res) => {
    res.vary('Accept');
    if (req.accepts(['json', 'html']) === 'html') return res.redirect(docsPath);
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.json({ data });
  };
}
