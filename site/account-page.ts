// The page /account, with the scripts and the style beside it, whose names contain a hash of their content. Each language of the
// elements is a script of its own. The service replaces the placeholders in every response.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('account', import.meta.url));

/** Writes the assets into the folder; returns the page. */
export async function buildAccountPage(folder: string): Promise<string> {
  const { metafile } = await build({
    entryPoints: ['main.ts', 'style.css'].map((name) => join(source, name)),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: join(folder, 'assets'),
    metafile: true,
  });
  const built = Object.entries(metafile.outputs);
  const urlOf = (entry: string) => {
    const [path] = built.find(([, { entryPoint }]) => entryPoint?.endsWith(`account/${entry}`))!;
    return `/account/assets/${path.split('/').at(-1)}`;
  };
  return pageOf(urlOf('main.ts'), urlOf('style.css'));
}

function pageOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="__FOYER_LANGUAGE__" dir="__FOYER_DIRECTION__">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="foyer" content="__FOYER_PAGE__" nonce="__FOYER_NONCE__">
<title>__FOYER_TITLE__</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<header><h1>__FOYER_TITLE__</h1></header>
<main></main>
<noscript>This page requires JavaScript.</noscript>
</body>
</html>
`;
}
