// Packs the SDK as it is published, and installs the tarball in the folder of an app.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packer = fileURLToPath(new URL('../pack.mjs', import.meta.url));

/** The folders that lead resolvers without `exports` to an entry. */
export const stubs = ['admin', 'expo', 'react', 'server', 'storage', 'testing', 'webhooks'];

/** Packs the build into `folder`; returns the folder of the installed package, in `folder/app/node_modules`. */
export async function installPackedSdk(folder: string): Promise<string> {
  const installed = join(folder, 'app/node_modules/@foyer/sdk');
  const { stdout } = await run('node', [packer, folder]);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1']);
  return installed;
}
