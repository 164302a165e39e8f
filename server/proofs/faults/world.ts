// The service as a process of its own, with everything that it depends on: each can be made to fail.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FoyerProcess, runFoyer, startFoyer } from '../../test/foyer-process.js';
import { freePort } from '../../test/free-port.js';
import { identityProvider } from '../../test/identity-provider.js';
import { mailServer } from '../../test/mail-server.js';
import { startReceiver } from '../../test/webhook-scenario.js';
import type { Cluster } from './postgresql.js';
import { faultProxy } from './proxy.js';

export type World = Awaited<ReturnType<typeof startWorld<Cluster>>>;

/** What clients need of it, on any database. */
export type ServiceWorld = Omit<World, 'cluster'>;

/** The database listens on `port` of this machine. */
type AnyCluster = { port: number; url: string; remove(): Promise<void> };

/** `settings` are added to the environment of the service. If anything fails to start, what has started is stopped. */
export async function startWorld<Database extends AnyCluster>(
  cluster: Database,
  settings: Record<string, string> = {},
) {
  const started: (() => unknown)[] = [() => cluster.remove()];
  try {
    return await startWorldOn(cluster, settings, started);
  } catch (error) {
    for (const stop of started.reverse()) await stop();
    throw error;
  }
}

/** `started` receives what stops each part. */
async function startWorldOn<Database extends AnyCluster>(
  cluster: Database,
  settings: Record<string, string>,
  started: (() => unknown)[],
) {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-faults-service-'));
  started.push(() => rmSync(directory, { recursive: true, force: true }));
  const databaseProxy = await faultProxy(() => cluster.port);
  started.push(() => databaseProxy.close());
  const port = await freePort();
  const clientProxy = await faultProxy(() => port);
  started.push(() => clientProxy.close());
  const mail = await mailServer();
  started.push(() => mail.down());
  const receiver = await startReceiver();
  started.push(() => receiver.stop());
  const redis = await startRedis();
  started.push(() => redis.stop());
  const clockFile = join(directory, 'clock');
  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset) };
  const step = async (milliseconds: number) => {
    offset += milliseconds;
    writeFileSync(clockFile, String(offset));
    await sleep(60);
  };
  await step(0);
  const provider = await identityProvider(clock, 'web.client');
  started.push(() => provider.stop());
  const databaseUrl = new URL(cluster.url);
  databaseUrl.port = String(databaseProxy.port);
  const env = {
    DATABASE_URL: databaseUrl.toString(),
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    PORT: String(port),
    HOST: '127.0.0.1',
    FILES_DIR: join(directory, 'files'),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    SMTP_URL: mail.url,
    MAIL_FROM: 'accounts@example.com',
    OUTBOUND_LOOPBACK: 'on',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    PROVIDER_A_ISSUER: provider.addresses.issuers[0] as string,
    PROVIDER_A_JWKS_URL: provider.addresses.jwksUrl,
    NODE_OPTIONS: `--import ${new URL('./stepped-clock.mjs', import.meta.url).href}`,
    FAULT_CLOCK_FILE: clockFile,
    ...settings,
  };
  let foyer: FoyerProcess = await startFoyer(env);
  started.push(() => foyer.kill('SIGKILL'));
  const created = await runFoyer(['apps', 'create', '--name', 'Faults', '--json'], env);
  const app = JSON.parse(created.stdout) as { app_key: string; secret_key: string };

  const world = {
    cluster,
    databaseProxy,
    clientProxy,
    mail,
    receiver,
    redis,
    provider,
    clock,
    step,
    appKey: app.app_key,
    secretKey: app.secret_key,
    url: `http://127.0.0.1:${clientProxy.port}`,
    get pid() {
      return foyer.pid;
    },
    /** What the service logged since the start of the harness or its last restart. */
    errors: () => foyer.stdout() + foyer.stderr(),
    killService: (signal: 'SIGKILL' | 'SIGTERM') => foyer.kill(signal),
    async startService() {
      foyer = await startFoyer(env);
    },
    /** Leaves the service only the descriptors that it has open, or as many as it likes. */
    limitDescriptors(limited: boolean) {
      const open = readdirSync(`/proc/${foyer.pid}/fd`).length;
      execFileSync('prlimit', ['--pid', String(foyer.pid), `--nofile=${limited ? open : 4_096}:`]);
    },
    async stop() {
      for (const stop of started.reverse()) await stop();
    },
  };
  await prepare(world);
  return world;
}

async function prepare({
  url,
  appKey,
  secretKey,
  receiver,
}: {
  url: string;
  appKey: string;
  secretKey: string;
  receiver: { url: string };
}) {
  const setUp = async (method: string, path: string, body: object) => {
    const headers = {
      'content-type': 'application/json',
      'x-app-key': appKey,
      authorization: `Bearer ${secretKey}`,
    };
    const answer = await fetch(`${url}/api/v2${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  await setUp('PATCH', '/admin/settings', { provider_a: { client_ids: { web: ['web.client'] } } });
  await setUp('POST', '/admin/collections', { name: 'notes', access_mode: 'owner' });
  await setUp('POST', '/admin/webhooks', { url: receiver.url, types: ['user.created'] });
}

async function startRedis() {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
      stdio: 'ignore',
    });
    await sleep(100);
  };
  const stop = async () => {
    const stopping = child;
    child = undefined;
    if (!stopping) return;
    stopping.kill('SIGKILL');
    await once(stopping, 'exit');
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  await start();
  return { port, start, stop, signal: (signal: 'SIGSTOP' | 'SIGCONT') => void child?.kill(signal) };
}
