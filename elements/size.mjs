// Measures what the elements add to an app beside the SDK: both of them with everything that they load, without the languages
// other than English; minified by esbuild, brotli. Fails over the budget.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const budgetBytes = 20_480;
const folder = join(dirname(fileURLToPath(import.meta.url)), 'dist');

const lazyLanguages = {
  name: 'lazy-languages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/texts\// }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

async function measure(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    external: ['@foyer/sdk', 'react'],
    plugins: [lazyLanguages],
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
if (all > budgetBytes) {
  console.error('The elements are over their budget.');
  process.exitCode = 1;
}
