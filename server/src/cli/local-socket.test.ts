// The socket on which a running service with an embedded database executes commands.
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runBeside } from '../../test/command-line.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import type { Deps } from '../deps.js';
import { jsonLogger } from '../lib/logger.js';
import { runInService, serveCommands } from './local-socket.js';

const service = shared(() => testService());

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

/** Serves the commands of the service in a data directory of their own. */
async function served(): Promise<string> {
  const dataDir = await newDataDir();
  const stop = await serveCommands({ ...service.deps, config: { ...service.deps.config, dataDir } });
  onTestFinished(stop);
  return dataDir;
}

/** What a service answers to a text on its socket. */
async function answerTo(request: string): Promise<string> {
  const dataDir = await newDataDir();
  const stop = await serveCommands({ config: { dataDir }, logger: jsonLogger('silent') } as Deps);
  onTestFinished(stop);
  const socket = createConnection(join(dataDir, 'commands.sock'));
  socket.write(request);
  return text(socket);
}

const foyerBeside = (dataDir: string, ...words: string[]) => runBeside(dataDir, words);

test.each([
  ['text that is not JSON', 'hello\n'],
  ['two requests at once', '["apps"]\n["apps"]\n'],
  ['JSON that is no list', 'null\n'],
  ['a list that holds no words', '["apps", {}]\n'],
  ['an unknown command', '["strat"]\n'],
])('%s is answered with an error, and the service goes on', async (_what, request) => {
  expect(JSON.parse(await answerTo(request))).toMatchObject({ error: expect.any(String) });
});

test('a request has at most 8 MiB, and a longer one ends the connection', async () => {
  const request = (bytes: number) => `["unknown", "${'x'.repeat(bytes - 16)}"]\n`;
  const most = 8_388_608;
  expect(request(most)).toHaveLength(most);
  expect(JSON.parse(await answerTo(request(most)))).toMatchObject({
    error: expect.stringContaining('"unknown"'),
  });
  expect(await answerTo(request(most + 1)).catch(() => '')).toBe('');
});

test('a command takes effect in the service that executes it at once', async () => {
  const dataDir = await served();
  const { app } = await service.newApp();
  const code = async () => (await service.call('GET', '/me', { appKey: app.appKey })).code;
  expect(await code()).toBe('auth/invalid-token');
  expect(await foyerBeside(dataDir, 'apps', 'disable', app.slug)).toMatchObject({ code: 0, stderr: '' });
  expect(await code()).toBe('request/invalid-app-key');
});

test.each<[string, number, string, (app: string) => string[]]>([
  [
    'a key that cannot be read',
    1,
    'provider_b.private_key ',
    (app) => ['apps', 'set', app, 'provider_b.private_key=nonsense'],
  ],
  [
    'an expiry in the past',
    2,
    '--expires must be in the future\n\n  foyer keys create ',
    (app) => ['keys', 'create', app, '--name', 'A', '--all-scopes', '--expires', '2020-01-01'],
  ],
])('%s is refused by a service as it is without one', async (_what, code, start, words) => {
  const dataDir = await served();
  const { app } = await service.newApp();
  const refused = await foyerBeside(dataDir, ...words(app.slug));
  expect([refused.code, refused.stdout]).toEqual([code, '']);
  expect(refused.stderr.slice(0, start.length + 7)).toBe(`foyer: ${start}`);
});

test('files of an app are read and applied by the service, which uses them at once', async () => {
  const dataDir = await served();
  const { app } = await service.newApp('Orchard');
  const folder = join(await newDataDir(), 'app');
  const on = ['--app', app.slug, folder];
  const signUp = () =>
    service.call('POST', '/auth/sign-up', {
      appKey: app.appKey,
      body: { email: 'ada@example.com', password: 'correct horse' },
    });
  const pulled = await foyerBeside(dataDir, 'pull', ...on);
  expect([pulled.code, pulled.stderr]).toEqual([0, '']);
  const path = join(folder, 'app.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('sign_up: open', 'sign_up: closed'));
  expect((await foyerBeside(dataDir, 'diff', ...on)).stdout).toBe('settings\n  ~ sign_up: open → closed\n');
  await service.deps.apps.byKey(app.appKey);
  expect(await foyerBeside(dataDir, 'apply', ...on)).toMatchObject({ code: 0, stderr: '' });
  expect((await signUp()).code).toBe('auth/operation-not-allowed');
  const refused = await foyerBeside(dataDir, 'pull', '--app', 'nobody', folder);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'foyer: there is no app with the id or slug "nobody"\n',
  ]);
});

test('a service that takes no commands is reported, and nothing is written', async () => {
  const dataDir = await newDataDir();
  const folder = join(dataDir, 'app');
  const { code, stderr } = await foyerBeside(dataDir, 'pull', '--app', 'orchard', folder);
  expect([code, existsSync(folder)]).toEqual([1, false]);
  expect(stderr).toBe('foyer: the embedded database is in use by a service that takes no commands\n');
  const listed = await foyerBeside(dataDir, 'apps', 'list');
  expect([listed.code, listed.stdout]).toEqual([1, '']);
  expect(listed.stderr).toContain(`The data directory ${dataDir} is in use by another process.`);
});

test('the socket is replaced where a killed service has left one, is open to its user only, and goes with the service', async () => {
  const dataDir = await newDataDir();
  const path = join(dataDir, 'commands.sock');
  writeFileSync(path, '');
  const umask = process.umask();
  const serving = serveCommands({ ...service.deps, config: { ...service.deps.config, dataDir } });
  // The umask of the process is changed for a moment only.
  expect(process.umask()).toBe(umask);
  const stop = await serving;
  expect([process.umask(), statSync(path).mode & 0o777]).toEqual([umask, 0o600]);
  expect((await foyerBeside(dataDir, 'apps', 'list')).code).toBe(0);
  await stop();
  expect(existsSync(path)).toBe(false);
});

test('a client that sends nothing for ten minutes is disconnected', async () => {
  const dataDir = await newDataDir();
  onTestFinished(await serveCommands({ config: { dataDir } } as Deps));
  const idle = vi.spyOn(Socket.prototype, 'setTimeout');
  onTestFinished(() => idle.mockRestore());
  const socket = createConnection(join(dataDir, 'commands.sock'));
  await vi.waitUntil(() => idle.mock.calls.length > 0);
  const [[milliseconds, disconnect]] = idle.mock.calls as [[number, () => void]];
  expect(milliseconds).toBe(600_000);
  disconnect();
  expect(await text(socket)).toBe('');
});

test('a client that goes away before its answer does no harm', async () => {
  const dataDir = await served();
  const socket = createConnection(join(dataDir, 'commands.sock'));
  await once(socket, 'connect');
  socket.write('["apps", "list"]\n');
  socket.destroy();
  expect((await foyerBeside(dataDir, 'apps', 'list')).code).toBe(0);
});

test('what a client sends after its request is ignored: the command is executed once', async () => {
  const dataDir = await newDataDir();
  let release = () => {};
  const released = new Promise<never[]>((resolve) => {
    release = () => resolve([]);
  });
  const findMany = vi.fn(() => released);
  const deps = { config: { dataDir }, prisma: { app: { findMany } }, apps: { forget() {} } };
  onTestFinished(await serveCommands(deps as unknown as Deps));
  const request = '["apps", "list", "--json"]\n';
  const socket = createConnection(join(dataDir, 'commands.sock'));
  socket.write(request);
  await vi.waitUntil(() => findMany.mock.calls.length > 0);
  socket.write('\n');
  // The service has read it before it reads a later request.
  const later = createConnection(join(dataDir, 'commands.sock'));
  later.write('["unknown"]\n');
  await text(later);
  release();
  expect(await text(socket)).toBe('{"line":"[]"}\n{"done":true}\n');
  expect(findMany).toHaveBeenCalledTimes(1);
});

test('a file in an argument is named by its whole path, since the service runs in another folder', async () => {
  const dataDir = await newDataDir();
  let request = '';
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      request += bytes;
      socket.end('{"done":true}\n');
    });
  });
  await new Promise<void>((listening) => server.listen(join(dataDir, 'commands.sock'), listening));
  onTestFinished(() => void server.close());
  const secret = 'providers.contoso-ag.client_secret';
  const other = ['mail.reply_to=a@key.p8', '--name=@key.p8'];
  const words = [
    'provider_b.private_key=@key.p8',
    `${secret}=@key.p8`,
    'mail.texts.reset.de-CH=@key.p8',
    ...other,
  ];
  expect(await runInService(dataDir, ['apps', 'set', 'orchard', ...words], () => {})).toBe(true);
  const path = resolve('key.p8');
  expect(JSON.parse(request)).toEqual([
    ...['apps', 'set', 'orchard', `provider_b.private_key=@${path}`, `${secret}=@${path}`],
    ...[`mail.texts.reset.de-CH=@${path}`, ...other],
  ]);
});

test('a service that stops before a command has finished is reported', async () => {
  const dataDir = await newDataDir();
  const server = createServer((socket) => socket.end('{"line":"Created the app"}\n'));
  await new Promise<void>((listening) => server.listen(join(dataDir, 'commands.sock'), listening));
  onTestFinished(() => void server.close());
  const lines: string[] = [];
  const running = runInService(dataDir, ['apps', 'list'], (line) => void lines.push(line));
  await expect(running).rejects.toThrow('the service stopped before the command finished');
  expect(lines).toEqual(['Created the app']);
});

test('a service starts without the socket where it cannot be made, and logs the consequence', async () => {
  const lines: string[] = [];
  const dataDir = join(await newDataDir(), 'missing');
  const logger = jsonLogger('warn', { write: (line) => lines.push(line) });
  const stop = await serveCommands({ config: { dataDir }, logger } as Deps);
  await stop();
  expect(lines).toEqual([expect.stringContaining('need the service stopped: no local socket')]);
});
