// Packs a package from its build, as `npm pack` would, and leaves its folder as it is: the tarball that the service serves and that
// the tests install.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const manifestProgram = fileURLToPath(new URL('manifest.mjs', import.meta.url));

/** Writes the tarball into `target`, by default the folder of the workspace, and prints its path. */
export function packPackage(workspace, target = workspace) {
  const { name, version, files } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
  const fileName = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const folder = resolve(target);
  const staging = mkdtempSync(join(tmpdir(), 'foyer-pack-'));
  try {
    const included = files.filter((file) => !file.startsWith('!'));
    for (const file of ['package.json', 'README.md', 'LICENSE', ...included]) {
      cpSync(join(workspace, file), join(staging, file), { recursive: true });
    }
    const here = { cwd: staging, stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync('node', [manifestProgram, 'publish'], here);
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], here);
    console.log(join(folder, fileName));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
