// Builds dist/: the modules and declarations of the compiler, of which the app's bundler takes what it needs. Bundlers do not
// shorten templates, so their indentation is removed here, and the spaces of the styles; the lines of the others stay those of
// the source maps.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = dirname(fileURLToPath(import.meta.url));
const folder = join(workspace, 'dist');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', join(workspace, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
for (const name of readdirSync(folder, { recursive: true })) {
  if (!name.endsWith('.js')) continue;
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8').replace(/^[ \t]+/gm, '');
  writeFileSync(path, name === 'styles.js' ? text.replace(/`[^`]+`/g, withoutSpaces) : text);
}

/** Not before a colon: there a space is part of a selector. */
function withoutSpaces(styles) {
  return styles.replace(/\s+/g, ' ').replace(/([{};:,>]) | (?=[{}>])/g, '$1');
}
