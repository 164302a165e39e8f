// Measures the script of the first load: the entry and what it imports statically, compressed with brotli. Run after a
// build; fails above the limit.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const limitKiB = 250;
const dist = new URL('dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');

const loaded = new Set();
function load(name) {
  if (loaded.has(name)) return;
  loaded.add(name);
  const text = readFileSync(new URL(`assets/${name}`, dist), 'utf8');
  for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) load(imported);
}
for (const [, name] of html.matchAll(/(?:src|href)="[^"]*\/assets\/([^"]+\.js)"/g)) load(name);

const sizeOf = (name) => brotliCompressSync(readFileSync(new URL(`assets/${name}`, dist))).length / 1_024;
const line = (name, size) => console.log(`${size.toFixed(1).padStart(8)} KiB  ${name}`);

let total = 0;
for (const name of loaded) {
  const size = sizeOf(name);
  total += size;
  line(name, size);
}
line(`first load, at most ${limitKiB} KiB`, total);
for (const name of readdirSync(new URL('assets/', dist)))
  if (!loaded.has(name)) line(`${name} (lazy)`, sizeOf(name));
if (total > limitKiB) process.exitCode = 1;
