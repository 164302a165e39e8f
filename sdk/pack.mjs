// Packs the SDK from its build, as `npm pack` would, and leaves this folder as it is: the tarball that the service serves and
// that the tests install. `node sdk/pack.mjs [folder]` writes foyer-sdk-<version>.tgz there.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('.', import.meta.url));
const { version, files } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
const target = resolve(process.argv[2] ?? workspace);

const staging = mkdtempSync(join(tmpdir(), 'foyer-sdk-pack-'));
try {
  const included = files.filter((name) => !name.startsWith('!'));
  for (const name of ['package.json', 'README.md', 'LICENSE', ...included]) {
    cpSync(join(workspace, name), join(staging, name), { recursive: true });
  }
  const here = { cwd: staging, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('node', [join(workspace, 'manifest.mjs'), 'publish'], here);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', target], here);
  console.log(join(target, `foyer-sdk-${version}.tgz`));
} finally {
  rmSync(staging, { recursive: true, force: true });
}
