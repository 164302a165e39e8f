// The dashboard at /dashboard: the files of its build, and its page for every other path, because the page reads the path
// itself.
import { type Request, type Response, Router } from 'express';
import { requireHost } from '../../engines/http-guard/index.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type BuiltFile, installedBuild } from './installed-build.js';
import { installedPackagePath } from './site.js';
import { staticDocument } from './static-document.js';

export const dashboardPath = '/dashboard';

const packageName = '@foyer/dashboard';
/** The page has placeholders for its configuration and the nonce of its policy. */
const pageName = 'index.html';
const nonceBytes = 18;

const contentTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
};

type PageDeps = Pick<Deps, 'config' | 'random' | 'apps'> & { hasOwner: () => Promise<boolean> };

/** Mounted at `dashboardPath`, before CORS: no other origin may read the page. */
export function dashboard(deps: PageDeps, files: BuiltFile[] = installedBuild(packageName)): Router {
  const pages = Router({ caseSensitive: true, strict: true });
  pages.use(requireHost);
  pages.use((req, _res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    next(new ApiError('request/method-not-allowed', { headers: { Allow: 'GET, HEAD' } }));
  });

  const page = files.find(({ path }) => path === pageName)?.body.toString();
  if (page === undefined) {
    pages.use((_req, res) => sendNotBuilt(res));
    return pages;
  }
  for (const file of files) if (file.path !== pageName) pages.get(`/${file.path}`, serveFile(file));
  // An old page must learn that the service has been updated: it then asks for files that no longer exist.
  pages.use('/assets', (_req, _res, next) => next(new ApiError('request/not-found')));
  pages.use(servePage(deps, page));
  return pages;
}

/** The names of assets contain a hash of their content, so that they never change. */
function serveFile({ path, body }: BuiltFile) {
  const type = contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return staticDocument(() => body, {
    'content-type': type,
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
  });
}

function servePage({ config, random, apps, hasOwner }: PageDeps, page: string) {
  const packagePath = installedPackagePath();
  return async (_req: Request, res: Response) => {
    const consoleApp = await apps.console();
    const settings = {
      api: `${config.baseUrl}/api/v2`,
      app_key: consoleApp.appKey,
      has_owner: await hasOwner(),
      sdk: packagePath && `${config.baseUrl}${packagePath}`,
    };
    const nonce = random.bytes(nonceBytes).toString('base64');
    res.set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy(nonce),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
    res.send(
      page
        .replace('__FOYER_PAGE__', () => escaped(JSON.stringify(settings)))
        .replace('__FOYER_NONCE__', () => nonce),
    );
  };
}

/** Nothing from another origin and no inline script. Style elements carry the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendNotBuilt(res: Response): void {
  res
    .status(404)
    .set({
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .send(
      'The dashboard is not built. Run "npm run build" in the checkout of Foyer, then restart the service.\n',
    );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
