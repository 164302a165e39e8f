// The process as a user starts it: its messages when it cannot start, its metrics, and its shutdown.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/env.js';
import { jsonLogger } from '../src/lib/logger.js';
import { startService } from '../src/main.js';
import { type FoyerProcess, type Outcome, reportLoaded, runFoyer, startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import { testEncryptionKey } from './harness.js';
import { rawAnswer, rawConnection } from './raw-http.js';
import { expectRefusal } from './refusal.js';

let place: TestPlace;
beforeAll(async () => {
  place = await createTestPlace();
});
afterAll(async () => {
  await place.remove();
  rmSync(files.FILES_DIR, { recursive: true });
});

// A service on PostgreSQL warns at start about a missing mail server; this one is never connected to.
const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'accounts@example.com' };
// The same for the directory of files.
const files = { FILES_DIR: mkdtempSync(join(tmpdir(), 'foyer-process-files-')) };
const common = () => ({
  ...place.env,
  ...mail,
  ...files,
  ENCRYPTION_KEYS: testEncryptionKey,
  HOST: '127.0.0.1',
});

/** One sentence for the operator, without a stack trace. */
function expectSentence({ code, stdout, stderr }: Outcome): string {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^foyer: \S[\s\S]*\n$/);
  expect(stderr).not.toMatch(/^\s+at |node_modules|\bError\b/m);
  return stderr.slice('foyer: '.length).trimEnd();
}

describe('a start that cannot succeed', () => {
  let taken: Server;
  let port: string;
  let nobody: number;
  let other: TestPlace;
  let outcomes: Record<'port' | 'environment' | 'address', Outcome>;
  beforeAll(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    port = String((taken.address() as { port: number }).port);
    nobody = await freePort();
    other = await createTestPlace();
    const start = (env: Record<string, string | undefined>) => runFoyer(['start'], { PORT: '0', ...env });
    // All at once: a process start takes time.
    const [inUse, environment, address] = await Promise.all([
      start({ ...common(), BASE_URL: `http://localhost:${port}`, PORT: port }),
      start({ ...common(), PORT: 'http', TRUST_PROXY: 'everybody' }),
      start(away('127.0.0.1')),
    ]);
    outcomes = { port: inUse, environment, address };
  });
  afterAll(async () => {
    taken.close();
    await other.remove();
  });

  const away = (host: string) => ({
    DATABASE_URL: `postgresql://foyer:secret@${host}:${nobody}/foyer`,
    BASE_URL: 'https://accounts.example.com',
    ENCRYPTION_KEYS: testEncryptionKey,
  });

  /** The sentence of the error, of a start in this process. */
  const refusalOf = (env: Record<string, string | undefined>): Promise<string> =>
    startService(readConfig({ PORT: '0', ...env }), () => {}, jsonLogger('silent')).then(
      () => 'started',
      (error: Error) => error.message,
    );

  test('names the port in use and the variable to change, and exits', async () => {
    const says = `port ${port} is in use by another process: stop that process, or set`;
    expect(expectSentence(outcomes.port)).toBe(`${says} PORT to another port`);
    expect(await refusalOf({ ...common(), ...other.env, METRICS_PORT: port })).toBe(
      `${says} METRICS_PORT to another port`,
    );
  });

  test('names the invalid variable', () => {
    expect(expectSentence(outcomes.environment)).toBe(
      'invalid environment:\n  PORT: must be a whole number from 0 to 65535\n' +
        '  TRUST_PROXY: must be a number of hops, or a comma-separated list of IP addresses and networks',
    );
  });

  test('reports that the database cannot be reached, without the password', async () => {
    for (const sentence of [expectSentence(outcomes.address), await refusalOf(away('localhost'))]) {
      expect(sentence).toMatch(
        /^the database is unreachable \(connect ECONNREFUSED [\d.:a-f]+\); start it, or change DATABASE_URL$/,
      );
    }
  });
});

test('a start that waits for its database handles SIGTERM, and so ends as the first process of a container', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'start'], {
    env: {
      ...{ DATABASE_URL: `postgresql://foyer@127.0.0.1:${port}/foyer`, PORT: '0' },
      ENCRYPTION_KEYS: testEncryptionKey,
    },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(silent, 'connection');
  child.kill('SIGTERM');
  // By a signal that it does not handle, it would end without an exit code.
  expect(await once(child, 'exit')).toEqual([1, null]);
});

describe('a running process', () => {
  let foyer: FoyerProcess;
  let port: number;
  let metricsPort: number;
  /** A second process, to be stopped in another way. */
  let impatient: { foyer: FoyerProcess; port: number; place: TestPlace };
  beforeAll(async () => {
    [port, metricsPort] = [await freePort(), await freePort()];
    const [otherPort, otherPlace] = [await freePort(), await createTestPlace()];
    const [first, second] = await Promise.all([
      startFoyer({
        ...common(),
        BASE_URL: `http://localhost:${port}`,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
      }),
      startFoyer({
        ...common(),
        ...otherPlace.env,
        ENCRYPTION_KEYS: undefined,
        SECRET_KEY: testEncryptionKey,
        PORT: String(otherPort),
        // This signal causes an unhandled rejection.
        NODE_OPTIONS: `--import=data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(new%20Error('stray'))}) ${reportLoaded('@opentelemetry')}`,
      }),
    ]);
    foyer = first;
    impatient = { foyer: second, port: otherPort, place: otherPlace };
  });
  afterAll(async () => {
    await foyer.kill('SIGKILL');
    await impatient.foyer.kill('SIGKILL');
    await impatient.place.remove();
  });

  test('prints its URL and writes one JSON line a request', async () => {
    expect(foyer.stdout()).toContain(
      `Foyer is running at http://localhost:${port} (API: http://localhost:${port}/api/v2`,
    );
    await rawAnswer(port, 'GET /api/v2/nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => foyer.stdout()).toContain('"status":404');
    const lines = foyer
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'request' });
    expect(foyer.stderr()).toBe('');
  });

  test('accepts SECRET_KEY, the former name of ENCRYPTION_KEYS, and logs a warning', () => {
    const warning = 'SECRET_KEY is deprecated: rename it to ENCRYPTION_KEYS';
    expect(impatient.foyer.stdout()).toContain(warning);
    expect(foyer.stdout()).not.toContain(warning);
  });

  test('serves its metrics in the Prometheus format, only on their own port', async () => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    for (const line of text.split('\n').filter(Boolean)) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-z0-9_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+\d.eEInfNa]+)$/,
      );
    }
    expect(text).toMatch(/^foyer_http_request_seconds_count\{route="other",status="200"\} \d+$/m);
    expect(text).toMatch(/^foyer_http_request_seconds_bucket\{le="\+Inf",route="other",status="404"\} 1$/m);
    expect(text).toMatch(/^foyer_password_queue 0$/m);
    expect(text).toMatch(/^foyer_process_resident_memory_bytes \d+$/m);
    expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(404);
    expectRefusal(await rawAnswer(port, 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'), 'request/not-found');
  });

  test('on SIGTERM finishes running requests, refuses new ones, exits with 0 and releases its database', async () => {
    // Before the connections are opened: one without a request is closed after a while.
    const key = await appKey();
    const connection = await rawConnection(port);
    const scraper = await rawConnection(metricsPort);
    const idle = await rawConnection(port);
    const body = '{"email":"a@b.cd"}';
    connection.send(
      `POST /api/v2/auth/token/refresh HTTP/1.1\r\nHost: a\r\nX-App-Key: ${key}\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    // The service has received the request.
    expect((await connection.answer({ interim: true })).status).toBe(100);
    const ended = foyer.kill('SIGTERM');
    await idle.closed();
    // Idle connections may be closed a moment before the listener.
    await expect.poll(() => connecting(port)).toContain('ECONNREFUSED');
    connection.send(body.slice(5));
    const answer = await connection.answer();
    const answeredAt = performance.now();
    expectRefusal(answer, 'request/validation-failed', { refresh_token: [expect.any(String)] });
    expect(await ended).toBe(0);
    // It does not wait for the full ten seconds allowed for running requests.
    expect(performance.now() - answeredAt).toBeLessThan(9_000);
    await Promise.all([connection.closed(), scraper.closed()]);
    const database = await openDatabase(place);
    expect(await database.prisma.app.count()).toBeGreaterThan(0);
    await database.close();
  });

  test('survives an unhandled rejection, and logs it', async () => {
    process.kill(impatient.foyer.pid, 'SIGUSR2');
    await expect.poll(() => impatient.foyer.stdout()).toMatch(/"level":"error".*stray.*unhandled rejection/);
    const answer = await rawAnswer(impatient.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(answer.status).toBe(200);
  });

  test('exits at once on a second signal', async () => {
    const connection = await rawConnection(impatient.port);
    connection.send('GET /healthz HTTP/1.1\r\nHost:');
    await rawAnswer(impatient.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    const ended = impatient.foyer.kill('SIGTERM');
    await expect.poll(() => connecting(impatient.port)).toContain('ECONNREFUSED');
    await impatient.foyer.kill('SIGTERM');
    expect(await ended).toBe(1);
    const database = await openDatabase(impatient.place);
    await database.close();
  });

  test('has loaded no OpenTelemetry at its exit if it had no endpoint for traces', () => {
    // tracing.test.ts has the control: with an endpoint it loads some.
    expect(impatient.foyer.stderr()).toContain('loaded 0');
  });

  /** Whether a connection opens, which is then closed, or why not. */
  const connecting = (to: number): Promise<string> =>
    rawConnection(to).then((connection) => {
      connection.close();
      return 'open';
    }, String);

  /** The key of the demo app, or of one created for this test. */
  async function appKey(): Promise<string> {
    const demo = /app key\s+(pk_\S+)/.exec(foyer.stdout())?.[1];
    if (demo) return demo;
    const { stdout } = await runFoyer(['apps', 'create', '--name', 'Test', '--json'], common());
    return JSON.parse(stdout).app_key;
  }
});
