// Packs the SDK as it is published, and installs the tarball in the folder of an app.
import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));

/** The folders that lead resolvers without `exports` to an entry. */
export const stubs = ['admin', 'expo', 'react', 'server', 'storage', 'testing', 'webhooks'];

/** Builds and packs in `folder`; returns the folder of the installed package, in `folder/app/node_modules`. */
export async function installPackedSdk(folder: string): Promise<string> {
  const packed = join(folder, 'packed');
  const installed = join(folder, 'app/node_modules/@foyer/sdk');
  await mkdir(packed);
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs', 'src', ...stubs]) {
    await cp(join(workspace, name), join(packed, name), { recursive: true });
  }
  await run('node', [join(workspace, 'build.mjs'), join(packed, 'dist')]);
  await run('node', [join(workspace, 'manifest.mjs'), 'publish'], { cwd: packed });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packed });
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, 'foyer-sdk-0.1.0.tgz'), '-C', installed, '--strip-components=1']);
  return installed;
}
