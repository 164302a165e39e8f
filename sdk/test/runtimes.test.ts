// The packed SDK in other runtimes: Deno, Bun, Cloudflare's workerd, CommonJS in Jest, jsdom and happy-dom with fake timers.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answers } from './mishaps.js';
import { installPackedSdk } from './packed-sdk.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

const run = promisify(execFile);
const programs = fileURLToPath(new URL('runtimes', import.meta.url));
const packages = join(programs, 'node_modules');
const page = fileURLToPath(new URL('../docs/testing.md', import.meta.url));
const timeout = 60_000;

let folder: string;
let app: string;
let service: ScriptedService;

beforeAll(async () => {
  service = await startScriptedService();
  folder = await mkdtemp(join(tmpdir(), 'foyer-sdk-runtimes-'));
  await installPackedSdk(folder);
  app = join(folder, 'app');
  await writeFile(join(app, 'package.json'), '{"private": true, "dependencies": {"@foyer/sdk": "*"}}');
  await cp(programs, app, {
    recursive: true,
    filter: (path) => !/node_modules|package/.test(path.slice(programs.length)),
  });
  for (const name of await readdir(app)) {
    if (name.endsWith('.js')) await cp(join(app, name), join(app, name.replace('.js', '.mjs')));
  }
  if (existsSync(packages)) await symlink(join(packages, 'jose'), join(app, 'node_modules/jose'));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The program of a package whose install script has not run. */
async function executable(...paths: string[]): Promise<string> {
  const found = paths.map((path) => join(packages, path)).find(existsSync);
  if (!found) throw new Error(`None of ${paths} is installed for this platform.`);
  await chmod(found, 0o755);
  return found;
}

const commandLine = (name: string) => [join(app, 'command-line.mjs'), service.baseUrl, join(folder, name)];

// Installed by CI only.
describe.skipIf(!existsSync(packages))('in other runtimes', () => {
  test.each([
    [
      'Deno',
      ['@deno/linux-x64-glibc/deno', '@deno/darwin-arm64/deno'],
      ['run', '-A', '--node-modules-dir=manual'],
    ],
    [
      'Bun',
      [
        '@oven/bun-linux-x64-baseline/bin/bun',
        '@oven/bun-linux-x64/bin/bun',
        '@oven/bun-darwin-aarch64/bin/bun',
      ],
      [],
    ],
    ['Node', [], []],
  ])(
    'a command line in %s signs in, uploads, shares its session, and ends by itself',
    async (name, paths, options) => {
      const program = paths.length ? await executable(...paths) : 'node';
      const { stdout } = await run(program, [...options, ...commandLine(name)], { cwd: app, timeout });
      expect(JSON.parse(stdout)).toEqual({ isSame: true, hasProgress: true });
      const [upload] = service.requests.filter(({ route }) => route === 'POST /api/v2/files').slice(-1);
      expect(upload?.body.toString()).toMatch(/filename="note\.txt"\r\n(?:.*\r\n)+\r\nx{500000}\r\n--/);
    },
  );

  test.each(['jsdom', 'happy-dom'])('a page in %s with fake timers restores its session', async (kind) => {
    const { stdout } = await run('node', [join(app, 'fake-timers.mjs'), kind, packages], { timeout });
    const restored = { status: 'signedIn', email: 'ada@example.com', channel: 'function' };
    expect(JSON.parse(stdout)).toEqual(restored);
  });

  test('Jest in CommonJS verifies access tokens, and runs a page with the environment of testing.md', async () => {
    const text = await readFile(page, 'utf8');
    const [, environment] = /```js\n\/\/ jsdom-environment\.js\n(.*?)```/s.exec(text)!;
    await writeFile(join(app, 'jest/jsdom-environment.js'), environment!);
    await symlink(join(packages, 'jest-environment-jsdom'), join(app, 'node_modules/jest-environment-jsdom'));
    const rootDir = join(app, 'jest');
    const projects = [
      { rootDir, displayName: 'node', testMatch: ['**/verify.test.js'] },
      { rootDir, testMatch: ['**/*.test.js'], testEnvironment: './jsdom-environment.js' },
    ];
    const config = JSON.stringify({ rootDir, projects });
    const jest = join(packages, 'jest/bin/jest.js');
    const { stderr } = await run('node', [jest, '--config', config], { cwd: rootDir, timeout: 3 * timeout });
    expect(stderr).toMatch(/Tests: +6 passed, 6 total/);
  });

  // 2021-11-03 is the first date; `navigator` is of 2022, the option `cache` of November 2024.
  test.each(['2021-11-03', '2024-01-01', '2024-11-10', '2024-11-11', '2026-11-01'])(
    'a Worker with the compatibility date %s makes every client at module scope, and calls in each request',
    async (date) => {
      const token = signedToken();
      service.always.set('GET /api/v2/.well-known/jwks.json', answers(200, { keys: [token.key] }));
      const worker = await startWorker(date);
      try {
        for (const count of [1, 3]) {
          const asked = Array.from({ length: count }, () => worker.ask({ 'X-Token': token.text }));
          for (const answer of await Promise.all(asked)) {
            expect(JSON.parse(answer)).toEqual({ isSame: true, visitor: null, refusal: 404, uid: 'u1' });
          }
        }
      } finally {
        worker.stop();
      }
    },
  );
});

function signedToken() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const names = { sub: 'u1', sid: 's1', iss: `${service.baseUrl}/apps/app1`, aud: 'app1' };
  const rest = { iat: now, exp: now + 900, auth_time: now, email: 'ada@example.com', email_verified: true };
  const signed = `${part({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })}.${part({ ...names, ...rest })}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { key, text: `${signed}.${signature.toString('base64url')}` };
}

async function startWorker(date: string) {
  const place = join(folder, date);
  await mkdir(place);
  const source = await readFile(join(app, 'worker.mjs'), 'utf8');
  await build({
    stdin: { contents: source.replace('BASE_URL', service.baseUrl), resolveDir: app },
    outfile: join(place, 'worker.js'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  });
  const port = await freePort();
  const config = `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = .main),
        (name = "internet", network = (allow = ["public", "private"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
    );
    const main :Workerd.Worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "${date}",
      globalOutbound = "internet",
    );`;
  await writeFile(join(place, 'config.capnp'), config);
  const workerd = await executable(
    '@cloudflare/workerd-linux-64/bin/workerd',
    '@cloudflare/workerd-darwin-arm64/bin/workerd',
  );
  const worker: ChildProcess = spawn(workerd, ['serve', join(place, 'config.capnp')], { stdio: 'inherit' });
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { headers, signal: AbortSignal.timeout(timeout) })).text();
  for (
    let tries = 100;
    (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) === null && tries > 0;
    tries--
  )
    await sleep(100);
  return { ask, stop: () => worker.kill() };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
