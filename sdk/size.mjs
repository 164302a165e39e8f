// Measures what the SDK adds to an app that creates a client, signs in and reads the user: minified by esbuild, brotli.
// Fails over the budget.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const budgetBytes = 6 * 1024;

const app = `
  import { createClient } from './src/index.js';
  const client = createClient({ baseUrl: 'https://accounts.example.com/api/v2', appKey: 'app_1' });
  await client.auth.signIn({ email: 'ada@example.com', password: 'correct horse' });
  console.log(await client.me.get());
`;

const { outputFiles } = await build({
  stdin: { contents: app, resolveDir: dirname(fileURLToPath(import.meta.url)), loader: 'ts' },
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
});
const { contents } = outputFiles[0];
const brotliBytes = brotliCompressSync(contents).length;
console.log(
  `core: ${brotliBytes} bytes brotli of ${budgetBytes} (gzip ${gzipSync(contents).length}, plain ${contents.length})`,
);
if (brotliBytes > budgetBytes) {
  console.error('The core is over its budget.');
  process.exitCode = 1;
}
