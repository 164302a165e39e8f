// The page /account?app=<app key>: a user of the app signs in, and manages or deletes the account. Of the user it knows nothing: its
// script makes the same calls as any client of the app. Its files are those of the build of @foyer/site below `account/`.
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { html } from '../lib/html.js';
import { type App, accountPageUrl, isConsole } from '../model/app.js';
import { appByKey } from './app-key.js';
import { builtPage, filled, pageHeaders } from './built-page.js';
import { type BuiltFile, installedBuild } from './installed-build.js';
import { isOfAccountPage } from './site.js';

export const accountPath = '/account';

type PageDeps = Pick<Deps, 'config' | 'random' | 'apps' | 'credentialGate'> & {
  /** Of a reader, by the Accept-Language header. */
  languageFor: (acceptLanguage: string | undefined) => { language: string; direction: 'ltr' | 'rtl' };
};

/** No text of a user becomes HTML, not even by a mistake of ours: the browser refuses it (Trusted Types). */
const directives = ['trusted-types lit-html', "require-trusted-types-for 'script'"];

/** Mounted at `accountPath`, before CORS: no other origin may read the page. */
export function accountPage(deps: PageDeps, built: BuiltFile[] = installedBuild('@foyer/site')): Router {
  const files = built
    .filter(isOfAccountPage)
    .map(({ path, body }) => ({ path: path.slice('account/'.length), body }));
  return builtPage(files, {
    servePage: (page) => Router({ strict: true }).get('/', servePage(deps, page)).use(notFound),
    notBuilt: 'The page of the account is not built.',
  });
}

function servePage(deps: PageDeps, page: string) {
  const { config, random, languageFor } = deps;
  return async (req: Request, res: Response) => {
    const { nonce, headers } = pageHeaders(random, directives);
    res.set(headers);
    const app = await appOf(deps, req);
    if (!app) return res.status(404).send(pageWithoutApp.html);
    const { language, direction } = languageFor(req.headers['accept-language']);
    const settings = { app_key: app.appKey, url: accountPageUrl(config.baseUrl, app) };
    const values = { PAGE: JSON.stringify(settings), NONCE: nonce, TITLE: app.name };
    res.send(filled(page, { ...values, LANGUAGE: language, DIRECTION: direction }));
  };
}

/** Unknown keys are limited as in the API. Team accounts are managed in the dashboard. */
async function appOf(deps: PageDeps, req: Request): Promise<App | null> {
  const { app: appKey } = req.query;
  if (typeof appKey !== 'string' || appKey === '') return null;
  const app = await appByKey(deps, req, appKey);
  return app?.enabled && !isConsole(app) ? app : null;
}

const pageWithoutApp = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>No such app</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>No such app</h1>
<p>The link to this page names no app, or one that does not exist or is disabled. Open it again from the app, or ask the app’s team
for the right link.</p>
<p>For the team: the link is <code>${accountPath}?app=</code> and the app key, which Quick start in the dashboard shows.</p>
</main>
</body>
</html>
`;

const notFound: RequestHandler = (_req, _res, next) => next(new ApiError('request/not-found'));
