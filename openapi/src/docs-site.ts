// The page that shows a document to people: every file of it with the headers it needs, for whatever serves them.
import { readDocument } from './documents.js';
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

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const codeFont = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

const theme = {
  typography: {
    fontFamily: font,
    headings: { fontFamily: font },
    code: { fontFamily: codeFont, wrap: true },
  },
};

/** Both addresses are paths on the own origin: where the page stands, and where the document does. */
export function docsSite(at: { path: string; documentUrl: string }): DocsFile[] {
  const scriptPath = `${at.path}/redoc.standalone.js`;
  return [
    file(at.path, 'text/html; charset=utf-8', () => Buffer.from(page(at.documentUrl, scriptPath)), {
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
    }),
    file(scriptPath, 'text/javascript; charset=utf-8', readScript),
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

function page(documentUrl: string, scriptPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(readDocument('v2').info.title)}</title>
<link rel="icon" href="data:,">
<style>
body { margin: 0 }
redoc td code { white-space: nowrap }
redoc .redoc-json .token.string { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<redoc spec-url="${escaped(documentUrl)}" theme="${escaped(JSON.stringify(theme))}" schemas-expansion-level="2" hide-schema-pattern json-sample-expand-level="all"></redoc>
<noscript><p>This page needs JavaScript. The same is in <a href="${escaped(documentUrl)}">the OpenAPI document</a>.</p></noscript>
<script src="${escaped(scriptPath)}"></script>
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
