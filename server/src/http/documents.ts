// The OpenAPI document of each version at `/api/<version>/openapi.json`, beside that of v2 the ones for clients and the
// workflows, the self-contained documentation page of v2 at /docs, and what `/`, `/api/v1` and `/api/v2` answer: links to these. A
// browser gets the start page at `/`, and is redirected to the documentation by the others.
import { type DocumentName, docsSite, documentAt, readDocument, workflowsAt } from '@foyer/openapi';
import { type RequestHandler, Router } from 'express';
import { requireHost } from '../../engines/http-guard/index.js';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../env.js';
import { dashboardPath } from './dashboard.js';
import { type Endpoint, leaveOptions } from './no-such-route.js';
import { guidesPath, installedPackages, llmsPath } from './site.js';
import { type StartPage, startPage } from './start-page.js';
import { staticDocument } from './static-document.js';

const { version } = manifest;
const documentPath = '/openapi.json';
type DocumentAt = (baseUrl: string) => object;
const openApi =
  (name: DocumentName): DocumentAt =>
  (baseUrl) =>
    documentAt(readDocument(name), baseUrl);
const documents: Record<'v1' | 'v2', [path: string, at: DocumentAt][]> = {
  v1: [[documentPath, openApi('v1')]],
  v2: [
    [documentPath, openApi('v2')],
    ['/openapi.client.json', openApi('v2.client')],
    ['/openapi.client-3.0.json', openApi('v2.client-3.0')],
    ['/openapi.webhooks.json', openApi('v2.webhooks')],
    ['/arazzo.json', workflowsAt],
  ],
};
const docsPath = '/docs';

// Paths instead of URLs, so that the pages stay on their own origin independent of BASE_URL.
const site = docsSite([
  { path: docsPath, documentUrl: `/api/v2${documentPath}`, name: 'v2' },
  { path: `${docsPath}/v1`, documentUrl: `/api/v1${documentPath}`, name: 'v1 (deprecated)' },
]);

const get = (path: string): Endpoint => ({ method: 'GET', path });
export const documentEndpoints = (api: 'v1' | 'v2'): Endpoint[] =>
  ['/', ...documents[api].map(([path]) => path)].map(get);
export const pageEndpoints: Endpoint[] = ['/', `${docsPath}/`, ...site.map(({ path }) => path)].map(get);

const documentHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=300',
};

/** Mounted below the prefix of the version. */
export function apiDocument(config: Config, api: 'v1' | 'v2'): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  // The documents of v1 are mounted before the middleware that requires a Host.
  for (const [path, at] of documents[api]) {
    const read = () => Buffer.from(JSON.stringify(at(`${config.baseUrl}/api/${api}`)));
    router.get(path, requireHost, staticDocument(read, documentHeaders));
  }
  router.get('/', requireHost, links(config, toDocumentation));
  return router;
}

export function documentPages(
  config: Config,
  start: Omit<StartPage, 'version' | 'config' | 'packages'>,
  packages = installedPackages(),
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(leaveOptions);
  router.get('/', requireHost, links(config, startPage({ ...start, version, config, packages }), packages));
  // Of the guides, too.
  router.get(/^\/docs\/(.*\/)?$/, ({ path }, res) => res.redirect(path.replace(/\/+$/, '')));
  for (const { path, headers, readBody } of site) router.get(path, staticDocument(readBody, headers));
  return router;
}

const toDocumentation: RequestHandler = (_req, res) => res.redirect(docsPath);

function links(
  { baseUrl }: Config,
  forBrowsers: RequestHandler,
  { sdk, elements } = installedPackages(),
): RequestHandler {
  const data = {
    name: 'Foyer',
    version,
    documentation: `${baseUrl}${docsPath}`,
    dashboard: `${baseUrl}${dashboardPath}`,
    ...(sdk &&
      elements && {
        sdk: `${baseUrl}${sdk}`,
        elements: `${baseUrl}${elements}`,
        guides: `${baseUrl}${guidesPath}`,
        llms: `${baseUrl}${llmsPath}`,
      }),
    api: { v2: `${baseUrl}/api/v2`, v1: `${baseUrl}/api/v1` },
    openapi: { v2: `${baseUrl}/api/v2/openapi.json`, v1: `${baseUrl}/api/v1/openapi.json` },
    health: { live: `${baseUrl}/healthz`, ready: `${baseUrl}/readyz` },
  };
  return (req, res, next) => {
    res.vary('Accept');
    if (req.accepts(['json', 'html']) === 'html') return forBrowsers(req, res, next);
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.json({ data });
  };
}
