// What the pages with scripts have in common, the dashboard and the page of an account: the policy of the page, and the files of a
// build beside it.
import { type RequestHandler, Router } from 'express';
import { requireHost } from '../../engines/http-guard/index.js';
import { ApiError } from '../lib/api-error.js';
import type { Random } from '../lib/crypto/random.js';
import type { BuiltFile } from './installed-build.js';
import { staticDocument } from './static-document.js';

/** A page has placeholders for its configuration and the nonce of its policy. */
export const pageName = 'index.html';
const nonceBytes = 18;

const contentTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** The files of a build, and `servePage` for every other path; without a build, what `notBuilt` says. */
export function builtPage(
  files: BuiltFile[],
  { servePage, notBuilt }: { servePage: (page: string) => RequestHandler; notBuilt: string },
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(requireHost);
  router.use((req, _res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    next(new ApiError('request/method-not-allowed', { headers: { Allow: 'GET, HEAD' } }));
  });

  const page = files.find(({ path }) => path === pageName)?.body.toString();
  if (page === undefined) {
    router.use(sendNotBuilt(notBuilt));
    return router;
  }
  const compressed = new Map(files.filter(isCompressed).map(({ path, body }) => [path, body]));
  for (const file of files) {
    if (file.path === pageName || isCompressed(file)) continue;
    router.get(`/${file.path}`, serveFile(file, compressed.get(`${file.path}.br`)));
  }
  // An old page must learn that the service has been updated: it then asks for files that no longer exist.
  router.use('/assets', (_req, _res, next) => next(new ApiError('request/not-found')));
  router.use(servePage(page));
  return router;
}

/** Made by the build beside a file. */
function isCompressed({ path }: BuiltFile): boolean {
  return path.endsWith('.br');
}

/** The names of assets contain a hash of their content, so that they never change. */
function serveFile({ path, body }: BuiltFile, br: Buffer | undefined): RequestHandler {
  const type = contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const headers = {
    'content-type': type,
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
  };
  return staticDocument(() => body, headers, { br });
}

/** The headers of a page that may load and call its own origin only, and the nonce that its style elements carry. */
export function pageHeaders(random: Random, moreDirectives: string[] = []) {
  const nonce = random.bytes(nonceBytes).toString('base64');
  // Nothing from another origin and no inline script.
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...moreDirectives,
  ];
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
  return { nonce, headers };
}

/** Replaces placeholders such as `__FOYER_PAGE__`, in one pass; the values are text. */
export function filled(page: string, values: Record<string, string>): string {
  return page.replace(/__FOYER_([A-Z]+)__/g, (placeholder, name) => escaped(values[name] ?? placeholder));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function sendNotBuilt(text: string): RequestHandler {
  return (_req, res) => {
    res
      .status(404)
      .set({
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      })
      .send(`${text} Run "npm run build" in the checkout of Foyer, then restart the service.\n`);
  };
}
