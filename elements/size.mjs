// Measures what the elements add to an app beside the SDK: both of them with everything that they load at the start, minified by
// esbuild, brotli. Fails over the budget. Files that are loaded only when they are needed are listed apart, each by itself: the
// languages other than English, and the QR code of an authenticator app.
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const budgetBytes = 20_480;
const folder = join(dirname(fileURLToPath(import.meta.url)), 'dist');
/** The files that are loaded when they are needed, as paths in the folder. */
const lazy = new Set();

const lazyApart = {
  name: 'lazy-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return;
      lazy.add(relative(folder, join(resolveDir, path)));
      return { path, external: true };
    }),
};

async function measure(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    external: ['@foyer/sdk', 'react'],
    plugins: [lazyApart],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return brotliCompressSync(outputFiles[0].contents).length;
}

const all = await measure('index.js');
console.log(`both elements: ${all} bytes brotli of ${budgetBytes}`);
console.log(`sign-in alone: ${await measure('sign-in.js')}`);
console.log(`account alone: ${await measure('account.js')}`);
for (const path of [...lazy].sort()) console.log(`loaded when needed: ${path} ${await measure(path)}`);
if (all > budgetBytes) {
  console.error('The elements are over their budget.');
  process.exitCode = 1;
}
