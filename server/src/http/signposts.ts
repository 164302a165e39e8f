// `/`, `/api/v1` and `/api/v2` describe the service and link to its documentation and dashboard; browsers are redirected to the
// documentation page.
import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { dashboardPath } from './dashboard.js';

/** Next to `src` and `dist`. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The response to `GET /`, at the root and below each version prefix. */
export function signpost(baseUrl: string, docsPath: string): RequestHandler {
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
