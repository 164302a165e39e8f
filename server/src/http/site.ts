// What an app developer reads and installs from the service itself: the SDK and the ready screens as packages at /sdk, the guides
// below /docs/sdk as pages and as Markdown, and /llms.txt. The files are those of the build of @foyer/site.
import { type RequestHandler, Router } from 'express';
import { requireHost } from '../../engines/http-guard/index.js';
import type { Config } from '../env.js';
import { type BuiltFile, installedBuild } from './installed-build.js';
import { type Endpoint, leaveOptions } from './no-such-route.js';
import { staticDocument } from './static-document.js';

const packageName = '@foyer/site';
/** In the texts of the build, in the place of the origin of the service. */
const placeholder = 'http://localhost:3000';
/** In code and in the texts about the API, as in the OpenAPI document. */
const exampleOrigin = 'https://accounts.example.com';
export const guidesPath = '/docs/sdk';
export const llmsPath = '/llms.txt';

const contentTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  tgz: 'application/gzip',
};

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

/** Other paths where a reader looks for the guides. */
const toGuides = ['/sdk', '/sdk/'];

export type Site = {
  router: Router;
  endpoints: Endpoint[];
};

export function site({ baseUrl }: Pick<Config, 'baseUrl'>, built = installedBuild(packageName)): Site {
  const router = Router({ caseSensitive: true, strict: true });
  const files = built.filter((file) => !isOfAccountPage(file));
  router.use(leaveOptions);
  for (const file of files) router.get(pathOf(file), requireHost, serveFile(file, baseUrl));
  router.get(toGuides, requireHost, (_req, res) => res.redirect(guidesPath));
  router.get('/sdk/:file', requireHost, sendNoPackage(baseUrl, packagesIn(files)));
  const endpoints = [...files.map(pathOf), ...toGuides].map((path) => ({ method: 'GET', path }));
  return { router, endpoints };
}

/** The files of the page /account, which is served with other headers. */
export function isOfAccountPage({ path }: BuiltFile): boolean {
  return path.startsWith('account/');
}

/** The paths of the packages, for pages that show how they are installed; null before they are built. */
export type Packages = { sdk: string | null; elements: string | null };

export function installedPackages(): Packages {
  return packagesIn(installedBuild(packageName));
}

function packagesIn(files: BuiltFile[]): Packages {
  const pathOfPackage = (name: string) =>
    files.map(pathOf).find((path) => path.startsWith(`/sdk/foyer-${name}-`)) ?? null;
  return { sdk: pathOfPackage('sdk'), elements: pathOfPackage('elements') };
}

function pathOf({ path }: BuiltFile): string {
  return `/${path.replace(/\.html$/, '')}`;
}

function serveFile({ path, body }: BuiltFile, baseUrl: string): RequestHandler {
  const kind = path.slice(path.lastIndexOf('.') + 1);
  const headers = {
    'content-type': contentTypes[kind] ?? 'application/octet-stream',
    // Between releases the same version may have other content: a client that does not ask again would install an old SDK.
    'cache-control': 'public, no-cache',
    ...(kind === 'html' && pageHeaders),
  };
  if (kind === 'tgz') return staticDocument(() => body, headers, { compressed: true });
  return staticDocument(() => Buffer.from(atOrigin(body.toString(), baseUrl)), headers);
}

function atOrigin(text: string, baseUrl: string): string {
  return text
    .replaceAll('{base_url}', () => `${baseUrl}/api/v2`)
    .replaceAll(exampleOrigin, () => baseUrl)
    .replaceAll(placeholder, () => baseUrl);
}

function sendNoPackage(baseUrl: string, { sdk, elements }: Packages): RequestHandler {
  const text =
    sdk && elements
      ? `There is no such package here. The SDK of this service: npm install ${baseUrl}${sdk}\n` +
        `With the ready screens: npm install ${baseUrl}${sdk} ${baseUrl}${elements}\n`
      : 'The SDK is not built. Run "npm run build" in the checkout of Foyer, then restart the service.\n';
  return (_req, res) => {
    res
      .status(404)
      .set({
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      })
      .send(text);
  };
}
