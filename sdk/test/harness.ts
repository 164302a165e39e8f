// What most tests start from: the scripted service, a client over a storage that can be watched and broken, and hands
// on the clock.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { AuthState, Client, ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

export const ada = { email: 'ada@example.com', password: 'correct horse' };
export const storageKey = 'foyer.app_test';

const needsNobody =
  /\/auth\/(sign-up|sign-in|token|provider|email-code\/send|password\/forgot)|\/api\/v2\/config|\/push\/web-key/;
const takesAnybody =
  /\/auth\/(email-code\/verify|password\/reset)|(POST|PUT|DELETE) .*\/push\/devices|\/api\/v2\/data\/|GET .*\/files\//;

/** Starts the service before each test, and afterwards stops it, gives the clock back and checks two rules. */
export function useScriptedService(): { readonly current: ScriptedService } {
  const holder = {} as { current: ScriptedService };
  beforeEach(async () => {
    holder.current = await startScriptedService();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await holder.current.close();
    // Whatever a test is about: a signed-in call never leaves without a bearer and no other with one, and no token goes
    // to a query.
    for (const { route, authorization } of holder.current.requests) {
      if (needsNobody.test(route)) expect(`${authorization}`, route).not.toMatch(/at_/);
      else if (!takesAnybody.test(route)) expect(authorization, route).toMatch(/^Bearer at_/);
      expect(route).not.toMatch(/[ar]t_/);
    }
  });
  return holder;
}

/** Timers, `Date` and `performance` stand still until moved; sockets and promises go on. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
}

/** Moves the clock in small steps, leaving the network time to answer in between, until `work` settles. */
export async function movingClock<T>(work: Promise<T>, stepMs = 100, limitMs = 120_000): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  work.then(done, done);
  for (let movedMs = 0; !settled; movedMs += stepMs) {
    if (movedMs > limitMs) throw new Error(`Nothing settled within ${limitMs} ms of moved time.`);
    await networkTurn();
    if (!settled) await vi.advanceTimersByTimeAsync(stepMs);
  }
  return work;
}

/**
 * Real time enough for a request to reach a server in this process and come back: however late this machine's network is,
 * what was sent before a byte has arrived when that byte is back. Once for a connection, and twice for each way.
 */
export async function networkTurn(): Promise<void> {
  for (let way = 0; way < 5; way++) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await byteBack();
  }
}

let line: Promise<Socket> | undefined;

async function byteBack(): Promise<void> {
  line ??= openLine();
  const socket = await line;
  const back = once(socket, 'data');
  socket.write('.');
  await back;
}

/** To an echo, which keeps no process from ending. */
async function openLine(): Promise<Socket> {
  const server = createServer((far) => void far.unref().pipe(far)).unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  return socket.unref();
}

/** A storage over a map that records what is asked of it; a `before` hook may throw or wait. */
export function watchedStorage(values = new Map<string, string>()) {
  const storage = {
    values,
    log: [] as string[],
    before: {} as Partial<Record<'get' | 'set' | 'remove', () => void | Promise<void>>>,
    async get(key: string) {
      storage.log.push(`get ${key}`);
      await storage.before.get?.();
      return values.get(key) ?? null;
    },
    async set(key: string, value: string) {
      storage.log.push(`set ${key}`);
      await storage.before.set?.();
      values.set(key, value);
    },
    async remove(key: string) {
      storage.log.push(`remove ${key}`);
      await storage.before.remove?.();
      values.delete(key);
    },
  };
  return storage;
}

/** The stored values that hold a session: after a sign-out the token that makes the device known stays alone. */
export function sessionsIn({ values }: { values: Map<string, string> }): string[] {
  return [...values.values()].filter((value) => 'r' in JSON.parse(value));
}

export function newClient(service: ScriptedService, options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: service.baseUrl, appKey: 'app_test', ...options });
}

/** A client with Ada signed in. */
export async function signedInClient(
  service: ScriptedService,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const client = newClient(service, options);
  await client.auth.signUp(ada);
  return client;
}

/** The states a listener is told of, as they come. */
export function statesOf(client: Client): AuthState[] {
  const states: AuthState[] = [];
  client.auth.onStateChange((state) => states.push(state));
  return states;
}

export async function codeOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => 'resolved',
    (error: { code?: unknown }) => error.code ?? error,
  );
}
