// `foyer dev`: the program as a developer starts it, and, in a thorough run, the packed one in an empty folder.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { runHere, runWithoutDatabase } from '../../test/command-line.js';
import { startFoyer } from '../../test/foyer-process.js';
import { freePort } from '../../test/free-port.js';
import { thorough } from '../../test/thorough.js';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Demo = { base_url: string; app_key: string };

function signUp({ base_url, app_key }: Demo): Promise<Response> {
  return fetch(`${base_url}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-app-key': app_key },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
  });
}

/** What the program prints for a developer to copy. */
function demoOf(printed: string): Demo {
  const [, base_url = ''] = /API: (\S+),/.exec(printed) ?? [];
  const [, app_key = ''] = /app key +(pk_\S+)/.exec(printed) ?? [];
  return { base_url, app_key };
}

test.each([
  ['--port 0', '--port must be 1 to 65535'],
  ['--port 65536', '--port must be 1 to 65535'],
  ['--port 65535 --data-dir=', '--data-dir must name a folder'],
  ['--port http', '--port must be 1 to 65535'],
  ['--data-dir=', '--data-dir must name a folder'],
  ['--prot 3000', 'there is no option "--prot"'],
])('dev %s is refused with its usage', async (words, part) => {
  const { code, stdout, stderr } = await runWithoutDatabase(['dev', ...words.split(' ')]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`foyer: ${part}\n\n  foyer dev `);
});

test('dev ignores the environment of the app, prints what an app needs, and leaves nothing behind', async () => {
  const TMPDIR = await emptyFolder();
  const port = String(await freePort());
  const ofTheApp = { PORT: '1', DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/app', LOG_LEVEL: 'trace' };
  const words = ['dev', '--port', port, '--no-rate-limits'];
  // The helper asks this port whether the service is up.
  const foyer = await startFoyer({ ...ofTheApp, TMPDIR, PORT: port }, words);
  await expect.poll(foyer.stdout, { timeout: 180_000 }).toContain('to create the first owner');
  const demo = demoOf(foyer.stdout());
  expect(demo.base_url).toBe(`http://localhost:${port}/api/v2`);
  expect(foyer.stdout()).toMatch(/^Rate limits are off \(--no-rate-limits\)/);
  expect(foyer.stdout()).toMatch(/secret key +sk_/);
  expect(foyer.stdout()).toContain(`http://localhost:${port}/dev/mailbox\n`);
  expect((await fetch(`http://localhost:${port}/dev/mailbox`)).status).toBe(200);
  const answer = await signUp(demo);
  expect([answer.status, answer.headers.has('ratelimit')]).toEqual([201, false]);
  expect(await readdir(TMPDIR)).toHaveLength(1);
  expect(await foyer.kill('SIGINT')).toBe(0);
  expect([await readdir(TMPDIR), foyer.stderr()]).toEqual([[], '']);
});

test('dev leaves nothing behind when its terminal is closed', async () => {
  const TMPDIR = await emptyFolder();
  const port = String(await freePort());
  const foyer = await startFoyer({ TMPDIR, PORT: port }, ['dev', '--port', port]);
  expect(await readdir(TMPDIR)).toHaveLength(1);
  expect(await foyer.kill('SIGHUP')).toBe(0);
  expect(await readdir(TMPDIR)).toEqual([]);
});

test('dev leaves nothing behind after a second Ctrl-C, while a request is in progress', async () => {
  const TMPDIR = await emptyFolder();
  const port = String(await freePort());
  const foyer = await startFoyer({ TMPDIR, PORT: port }, ['dev', '--port', port]);
  const connect = () => createConnection(Number(port), '127.0.0.1').on('error', () => {});
  const slow = connect();
  onTestFinished(() => void slow.destroy());
  slow.write('POST /api/v2/auth/sign-up HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  // The service has read it before it answers a later request.
  await fetch(`http://127.0.0.1:${port}/healthz`);
  void foyer.kill('SIGINT');
  const isRefused = () =>
    new Promise((done) =>
      connect()
        .once('close', done)
        .once('connect', () => done(false)),
    );
  await expect.poll(isRefused, { timeout: 8_000 }).toBe(true);
  expect(await foyer.kill('SIGINT')).toBe(1);
  expect(await readdir(TMPDIR)).toEqual([]);
});

test('dev leaves nothing behind after Ctrl-C before it listens', async () => {
  const TMPDIR = await emptyFolder();
  const { PATH, HOME } = process.env;
  const words = ['dist/cli.js', 'dev', '--port', String(await freePort())];
  const child = spawn(process.execPath, words, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH, HOME, TMPDIR },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const files = async () => (await readdir(TMPDIR, { recursive: true })).join('\n');
  await expect.poll(files, { timeout: 180_000 }).toContain('/postgres');
  child.kill('SIGINT');
  expect(await exit).toEqual([1, null]);
  expect(await readdir(TMPDIR)).toEqual([]);
});

test.runIf(thorough)(
  'dev keeps its data in --data-dir, and demo.json has the port of the last start',
  async () => {
    const dataDir = join(await emptyFolder(), 'data');
    const keys: string[] = [];
    for (const status of [201, 409]) {
      const PORT = String(await freePort());
      const foyer = await startFoyer({ PORT }, ['dev', '--port', PORT, '--data-dir', dataDir]);
      await expect.poll(foyer.stdout, { timeout: 180_000 }).toContain('to create the first owner');
      const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
      expect(demo.base_url).toBe(`http://localhost:${PORT}/api/v2`);
      keys.push(demo.app_key);
      expect((await signUp(demo)).status).toBe(status);
      expect(await foyer.kill('SIGTERM')).toBe(0);
    }
    expect(keys[1]).toBe(keys[0]);
  },
);

test('errors of dev name its options', async () => {
  const folder = await emptyFolder();
  // The service listens for rejections until the process ends.
  const before = process.listeners('unhandledRejection');
  onTestFinished(() => {
    for (const listener of process.listeners('unhandledRejection')) {
      if (!before.includes(listener)) process.off('unhandledRejection', listener);
    }
  });
  await writeFile(join(folder, 'file'), '');
  const inFile = await runHere(['dev', '--data-dir', join(folder, 'file', 'data')], {});
  expect(inFile).toMatchObject({ code: 1, stderr: expect.stringContaining('choose another --data-dir') });
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const onTaken = await runHere(['dev', '--port', String(port)], {});
  // Nothing was started, so nothing is said about its data.
  expect(onTaken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--port') });
});

test.runIf(process.platform === 'linux')(
  'a data directory where no directory can be created is an error, and does not hang',
  async () => {
    const inProc = await runHere(['migrate'], { DATA_DIR: '/proc/foyer/data' });
    expect(inProc.code).toBe(1);
    expect(inProc.stderr).toContain('the data directory /proc/foyer/data cannot be used (ENOENT)');
  },
);

// npm installs what the program needs, in minutes on a busy machine.
const installTimeout = 900_000;

test.runIf(thorough)(
  'the packed program runs in an empty folder with npx, and a user signs up',
  { timeout: installTimeout },
  async () => {
    const folder = await emptyFolder();
    const run = promisify(execFile);
    const { stdout } = await run('node', [fileURLToPath(new URL('../../pack.mjs', import.meta.url)), folder]);
    const app = join(folder, 'app');
    await mkdir(app);
    await writeFile(join(app, 'package.json'), '{ "private": true }');
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--save-dev', ...quiet, stdout.trim()], { cwd: app });

    const { PATH, HOME } = process.env;
    const child = spawn('npx', ['foyer', 'dev', '--port', String(await freePort())], {
      cwd: app,
      env: { PATH, HOME, TMPDIR: folder },
      // A group of its own, as in a terminal: npx has child processes.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    const end = (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), signal);
      return exit;
    };
    onTestFinished(async () => {
      await end('SIGKILL');
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await expect.poll(() => printed, { timeout: 180_000 }).toContain('to create the first owner');
    const demo = demoOf(printed);
    expect((await signUp(demo)).status).toBe(201);
    for (const page of ['dashboard', 'docs']) {
      expect((await fetch(new URL(`/${page}`, demo.base_url))).status).toBe(200);
    }
    await end('SIGINT');
    await expect
      .poll(async () => (await readdir(folder)).filter((name) => name.startsWith('foyer-dev-')))
      .toEqual([]);
  },
);
