// The service as a start makes it, in this process: what it prints, and that a stop ends all that it has begun.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@foyer/prisma';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../test/free-port.js';
import { testEncryptionKey } from '../test/harness.js';
import { rawConnection } from '../test/raw-http.js';
import type { Deps } from './deps.js';
import { readConfig } from './env.js';
import { jsonLogger } from './lib/logger.js';
import { type Companion, graceMilliseconds, startService } from './main.js';

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

/** Starts on the embedded database; `logged` has the lines of the log, from warnings on. */
async function start(env: Record<string, string>, companion?: Companion, beforeListening?: () => void) {
  const [printed, logged]: [string[], string[]] = [[], []];
  const logger = jsonLogger('warn', { write: (line) => void logged.push(JSON.parse(line).msg) });
  const config = readConfig({ PORT: '0', ...env });
  const service = await startService(
    config,
    (line) => void printed.push(line),
    logger,
    companion,
    beforeListening,
  );
  return { ...service, printed, logged };
}

test('a start prints where the service and its data are, the keys of the demo app and the link of the first owner', async () => {
  const DATA_DIR = await newDataDir();
  const path = join(DATA_DIR, 'postgres');
  const demo = async () => JSON.parse(await readFile(join(DATA_DIR, 'demo.json'), 'utf8'));
  const running = (url: string) => [
    `Foyer is running at ${url} (API: ${url}/api/v2, documentation: ${url}/docs, dashboard: ${url}/dashboard)`,
    expect.stringMatching(`^Mail is not sent; read it at ${url}/dev/mailbox\\?secret=[\\w-]{43}$`),
  ];
  const owner = (url: string) =>
    expect.stringMatching(
      `^Open ${url}/dashboard/invitation#inv_[\\w-]{43} to create the first owner \\(works once, 24 hours\\)$`,
    );
  const first = await start({ DATA_DIR });
  const { app_id, app_key, secret_key } = await demo();
  expect(first.printed).toEqual([
    `Created a new, empty database in ${path} (DATA_DIR)`,
    ...running(first.url),
    'Created a demo app:',
    `  app id      ${app_id}`,
    `  app key     ${app_key}`,
    `  secret key  ${secret_key}   (for a backend, never for a browser)`,
    `  saved in    ${join(DATA_DIR, 'demo.json')}`,
    owner(first.url),
  ]);
  expect(first.logged).toEqual([]);
  await first.stop();

  const again = await start({ DATA_DIR });
  expect(again.printed).toEqual([
    `Opened the existing database in ${path} (DATA_DIR)`,
    ...running(again.url),
    `The demo app has the app key ${app_key}; its secret key is in ${join(DATA_DIR, 'demo.json')}`,
    owner(again.url),
  ]);
  await again.stop();
});

test('a start logs what the environment makes unsafe or deprecated', async () => {
  const { logged, stop } = await start({
    ...{ DATA_DIR: await newDataDir(), SECRET_KEY: testEncryptionKey },
    ...{ RATE_LIMITS: 'off', OUTBOUND_LOOPBACK: 'on' },
  });
  await stop();
  expect(logged).toEqual([
    'SECRET_KEY is deprecated: rename it to ENCRYPTION_KEYS',
    'RATE_LIMITS=off: passwords are not protected from guessing; for load tests only',
    'OUTBOUND_LOOPBACK=on: webhooks can reach services on this machine; for development only',
  ]);
});

test('a stop ends the listeners and all timers, writes what is buffered, and releases the database', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const DATA_DIR = await newDataDir();
  const METRICS_PORT = String(await freePort());
  const order: string[] = [];
  let running: Deps | undefined;
  const companion: Companion = async (deps) => {
    running = deps;
    return async () => void order.push('companion stopped');
  };
  const { url, logged, stop } = await start({ DATA_DIR, METRICS_PORT }, companion, () =>
    order.push('about to listen'),
  );
  const { app_key } = JSON.parse(await readFile(join(DATA_DIR, 'demo.json'), 'utf8'));
  const post = (path: string, body: object) =>
    fetch(`${url}/api/v2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-key': app_key },
      body: JSON.stringify(body),
    });
  const ada = { email: 'ada@example.com', password: 'correct horse' };
  expect((await post('/auth/sign-up', ada)).status).toBe(201);
  expect((await post('/auth/sign-in', { ...ada, password: 'a wrong password' })).status).toBe(401);
  expect((await post('/auth/email-code/send', { email: ada.email })).status).toBe(200);
  await expect
    .poll(() => running?.mailer.mailbox?.mails(ada.email).map(({ code }) => typeof code), { timeout: 60_000 })
    .toContain('string');
  const metrics = `http://127.0.0.1:${METRICS_PORT}`;
  const broken = await rawConnection(Number(new URL(url).port));
  broken.send('nonsense\r\n\r\n');
  expect((await broken.answer()).status).toBe(400);
  const measured = await (await fetch(`${metrics}/metrics`)).text();
  for (const line of [
    /^foyer_password_queue 0$/m,
    /^foyer_http_request_seconds_count\{route="POST \/auth\/sign-up",status="201"\} 1$/m,
    /^foyer_http_request_seconds_count\{route="other",status="400"\} 1$/m,
  ])
    expect(measured).toMatch(line);
  expect((await fetch(`${metrics}/`)).status).toBe(404);
  const scraper = await rawConnection(Number(METRICS_PORT));

  await stop();
  expect(order).toEqual(['about to listen', 'companion stopped']);
  expect([vi.getTimerCount(), logged]).toEqual([0, []]);
  await scraper.closed();
  for (const each of [`${url}/healthz`, `${metrics}/metrics`]) await expect(fetch(each)).rejects.toThrow();
  const { prisma, close } = await openDatabase({ dataDir: DATA_DIR });
  expect(await prisma.auditLog.count({ where: { action: 'user.sign_in_failed' } })).toBe(1);
  expect(await prisma.dailyStat.count()).toBeGreaterThan(0);
  await close();
});

test('a start that fails releases the database', async () => {
  const DATA_DIR = await newDataDir();
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as { port: number };
  await expect(start({ DATA_DIR, PORT: String(port) })).rejects.toThrow(`port ${port} is in use`);
  taken.close();
  const { prisma, close } = await openDatabase({ dataDir: DATA_DIR });
  expect(await prisma.app.count()).toBe(1);
  await close();
});

test('calls in progress have the ten seconds that the documentation promises when the service stops', async () => {
  expect(graceMilliseconds).toBe(10_000);
  const page = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
  expect(page.replace(/\s+/g, ' ')).toContain('calls and jobs in progress ten seconds');
});
