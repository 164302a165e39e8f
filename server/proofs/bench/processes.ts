// The measured processes: the service as shipped (its build, plain node, its command line), and the ceilings.
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../test/free-port.js';
import { seedApp } from './database.js';

export type Running = { port: number; pid: number; stop(): Promise<void> };

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const startMilliseconds = 120_000;
/** The threads of libuv's pool, where the binding hashes. */
const oneThreadACore = { UV_THREADPOOL_SIZE: String(availableParallelism()) };

export type NewApp = { app_id: string; app_key: string; secret_key: string };

/** Creates an app with the service's command line. */
export async function newApp(environment: Record<string, string>, name: string): Promise<NewApp> {
  const words = [cli, 'apps', 'create', '--name', name, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: clean(environment) });
  return JSON.parse(stdout);
}

/** An app with the users of `seedApp`. */
export async function seededApp(
  environment: Record<string, string> & { DATABASE_URL: string },
  name: string,
  keyId: number,
  users?: number,
): Promise<NewApp> {
  const app = await newApp(environment, name);
  await seedApp(environment.DATABASE_URL, app.app_id, keyId, users);
  return app;
}

/** Starts the service; with a profile directory, node writes its CPU profile there when the service stops. */
export async function startService(
  environment: Record<string, string>,
  profileDirectory?: string,
): Promise<Running> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'foyer-bench-'));
  const log = join(directory, 'errors');
  const profiling = profileDirectory ? ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`] : [];
  const child = spawn(process.execPath, [...profiling, cli, 'start'], {
    env: { ...clean(environment), PORT: String(port), HOST: '127.0.0.1' },
    // Request lines are written as always, but not stored: a disk that the database flushes to would delay them.
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, child);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the service did not start:\n${readFileSync(log, 'utf8')}`, { cause: error });
  }
  return {
    port,
    pid: child.pid as number,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function startCeiling(environment: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const child = forkHere('./ceiling.ts', { ...environment, ...oneThreadACore, PORT: String(port) });
  await message(child);
  return { port, pid: child.pid as number, stop: () => stopped(child) };
}

/** Another service, of those in `peers`; its own packages, in node as Foyer's. */
export async function startPeer(name: string, environment: Record<string, string>): Promise<Running> {
  const port = await freePort();
  // Some peers write logs and uploads where they are started.
  const cwd = mkdtempSync(join(tmpdir(), 'foyer-peer-'));
  const child = fork(fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url)), {
    cwd,
    env: { ...clean(environment), NODE_ENV: 'production', PORT: String(port) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { pid } = (await message(child)) as { pid: number };
  const stop = () => stopped(child).finally(() => rmSync(cwd, { recursive: true, force: true }));
  return { port, pid, stop };
}

/** A stranger that keeps one core busy until it is stopped. */
export function occupyCore(): { stop(): Promise<void> } {
  // Ends by itself if the benchmark is killed.
  const child = spawn('timeout', ['30', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' });
  return { stop: () => stopped(child) };
}

function forkHere(file: string, environment: Record<string, string>): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: clean(environment),
    execArgv: ['--import', 'tsx'],
  });
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('a process of the benchmark ended')));
  });
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** No variable of the caller's environment may affect the measurement. */
function clean(environment: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...environment };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + startMilliseconds;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error(`${url} never answered`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Calls the API of a service with these headers; the answer's text, and how long it took. */
export function caller(port: number, headers: Record<string, string>) {
  return async (path: string, body?: unknown, more: Record<string, string> = {}) => {
    const sent = { 'Content-Type': 'application/json', ...headers, ...more };
    const startedAt = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
      headers: sent,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, milliseconds: performance.now() - startedAt, text };
  };
}

/** The data of a successful answer. */
export function dataOf({ status, text }: { status: number; text: string }) {
  if (status >= 300) throw new Error(`the service answered ${status}: ${text}`);
  return JSON.parse(text).data;
}
