// Measures what the sign-in page loads: the page, its icon, and the scripts and styles that they name, compressed with
// brotli. Run after a build; fails above the limits. `npm run load` measures the same in a browser.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const limits = { KiB: 115, requests: 8 };
const dist = new URL('dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');

const loaded = new Set(['index.html', 'icon.svg']);
function load(name) {
  if (loaded.has(name)) return;
  loaded.add(name);
  if (!name.endsWith('.js')) return;
  const text = readFileSync(new URL(name, dist), 'utf8');
  for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    load(`assets/${imported}`);
}
for (const [, name] of html.matchAll(/(?:src|href)="\/dashboard\/(assets\/[^"]+)"/g)) load(name);

const sizeOf = (name) => brotliCompressSync(readFileSync(new URL(name, dist))).length / 1_024;
const line = (name, size) => console.log(`${size.toFixed(1).padStart(8)} KiB  ${name}`);

let total = 0;
for (const name of loaded) {
  const size = sizeOf(name);
  total += size;
  line(name, size);
}
line(`the sign-in page, at most ${limits.KiB} KiB in ${limits.requests} requests (${loaded.size})`, total);
for (const name of readdirSync(new URL('assets/', dist)))
  if (!name.endsWith('.br') && !loaded.has(`assets/${name}`))
    line(`${name} (lazy)`, sizeOf(`assets/${name}`));
if (total > limits.KiB || loaded.size > limits.requests) process.exitCode = 1;
