// The packed SDK in a React Native app: bundled by Metro, compiled by the hermesc of the same React Native, and run by Hermes.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackedSdk } from './packed-sdk.js';

const run = promisify(execFile);
const tools = fileURLToPath(new URL('react-native', import.meta.url));
const binaries = process.platform === 'darwin' ? 'osx-bin' : 'linux64-bin';
const hermesc = join(tools, 'node_modules/hermes-compiler/hermesc', binaries, 'hermesc');
// The newest Hermes with a command line in a package; it does not run the bytecode of newer compilers.
const hermes = join(tools, 'node_modules/hermes-engine-cli', binaries, 'hermes');

// Installed by CI only.
describe.skipIf(!existsSync(hermes))('a React Native app with the packed SDK', () => {
  let folder: string;
  let bundle: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-sdk-native-'));
    await installPackedSdk(folder);
    const app = join(folder, 'app');
    await writeFile(join(app, 'package.json'), '{}');
    await cp(join(tools, 'platform.js'), join(app, 'platform.js'));
    await cp(join(tools, 'app.js'), join(app, 'index.js'));
    bundle = join(folder, 'main.js');
    await run('node', [join(tools, 'bundle.js'), join(app, 'index.js'), bundle]);
  });

  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test('is compiled to bytecode by hermesc', async () => {
    const bytecode = join(folder, 'main.hbc');
    await run(hermesc, ['-O', '-w', '-emit-binary', '-out', bytecode, bundle]);
    const { stdout } = await run(hermesc, ['-b', '-dump-bytecode', bytecode], { maxBuffer: 1e8 });
    expect(stdout).toContain('client/storage-unavailable');
  });

  test('runs in Hermes: a refresh, a retry, a restart, a sign-out and a nonce', async () => {
    const { stdout } = await run(hermes, ['-O', '-w', bundle], { timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({
      wrong: true,
      me: 'ada@example.com',
      restarted: ['signedIn', 'u1'],
      devices: ['s1', 's2', 's3'],
      asyncIterator: 'undefined',
      remote: true,
      stored: [],
      requests: [
        'POST /auth/sign-in',
        'POST /auth/sign-in',
        // The access token has expired, and then the first response is lost.
        'GET /me',
        'POST /auth/token/refresh',
        'GET /me',
        'GET /me',
        'POST /auth/token/refresh',
        'GET /me/sessions',
        'GET /me/sessions?cursor=second',
        'POST /auth/sign-out',
      ],
      nonce: [64, 64],
      refusal: 'fileStorage requires Node 20.16 or newer.',
      react: ['function', 'function', false],
    });
  });
});
