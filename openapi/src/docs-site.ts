// The pages that show the documents to people: every file of them with the headers it needs, for whatever serves them.
import { pageStyle, startScript } from './docs-theme.js';
import { readTryIt, tryItPanel, tryItStyle } from './try-it-panel.js';
import { readLicence, readScript } from './viewer.js';

/** A file of the page. `path` is absolute; answer GET with `headers` and the body as they are. */
export type DocsFile = { path: string; headers: Record<string, string>; readBody(): Buffer };

// Nothing outside the own origin, no inline script, no eval. Styles are written by the viewer as it draws, and its
// search runs in a worker made from its own text.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** All are paths on the own origin: where a page stands, and where its document does. */
export type DocsPage = { path: string; documentUrl: string; name: string };

/** The pages, each of which links to the others, and below the first the files that they share. */
export function docsSite(pages: [DocsPage, ...DocsPage[]]): DocsFile[] {
  const [{ path: folder }] = pages;
  const scriptPath = `${folder}/redoc.standalone.js`;
  const tryItPath = `${folder}/try-it.js`;
  const scripts = [scriptPath, `${folder}/start.js`];
  return [
    ...pages.map((page) =>
      file(
        page.path,
        'text/html; charset=utf-8',
        () => Buffer.from(htmlOf(page, pages, tryItPath, scripts)),
        {
          'cache-control': 'no-cache',
          'content-security-policy': contentSecurityPolicy,
          'referrer-policy': 'no-referrer',
        },
      ),
    ),
    file(scriptPath, 'text/javascript; charset=utf-8', readScript),
    file(`${folder}/start.js`, 'text/javascript; charset=utf-8', () => Buffer.from(startScript)),
    file(tryItPath, 'text/javascript; charset=utf-8', readTryIt),
    file(`${scriptPath}.LICENSE.txt`, 'text/plain; charset=utf-8', readLicence),
  ];
}

function file(path: string, contentType: string, readBody: () => Buffer, headers = {}): DocsFile {
  return {
    path,
    headers: {
      'content-type': contentType,
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    readBody,
  };
}

// The heading stands in the page itself: the viewer draws the rest once it has read the document.
function htmlOf(page: DocsPage, pages: DocsPage[], tryItPath: string, scripts: string[]): string {
  const links = pages.map(({ path, name }) =>
    path === page.path
      ? `<a href="${escaped(path)}" aria-current="page">${escaped(name)}</a>`
      : `<a href="${escaped(path)}">${escaped(name)}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Foyer API, ${escaped(page.name)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}${tryItStyle}</style>
</head>
<body>
<header>
<h1>Foyer API</h1>
<nav aria-label="Versions">${links.join('')}<a href="${escaped(page.documentUrl)}">OpenAPI document</a></nav>
</header>
<main id="viewer" data-document="${escaped(page.documentUrl)}"><p role="status">Loading the operations…</p></main>
<noscript><p>This page needs JavaScript. The same is in <a href="${escaped(page.documentUrl)}">the OpenAPI document</a>.</p></noscript>
${tryItPanel}
<script src="${escaped(tryItPath)}" type="module"></script>
${scripts.map((path) => `<script src="${escaped(path)}" defer></script>`).join('\n')}
</body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
