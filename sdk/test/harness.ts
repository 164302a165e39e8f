// Shared setup: the scripted service, a client over a storage that records calls and can fail, and a manual clock.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, vi } from 'vitest';
import type { AuthState, Client, ClientOptions } from '../src/api.js';
import { createClient } from '../src/client.js';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

export const ada = { email: 'ada@example.com', password: 'correct horse' };
export const bob = { email: 'bob@example.com', password: 'correct horse' };
export const storageKey = 'foyer.app_test';

const needsNobody =
  /\/auth\/(methods|sign-up|sign-in|token|provider|passkey\/verify|second-factor|email-code\/send|password\/forgot)|\/api\/v2\/config|\/push\/web-key/;
const takesAnybody =
  /\/auth\/(email-code\/verify|passkey\/options|password\/reset)|(POST|PUT|DELETE) .*\/push\/devices|\/api\/v2\/data\/|GET .*\/files\//;

let started: ScriptedService;

/**
 * Starts the service before each test, and afterwards stops it, restores the clock and checks two invariants. Returns that of
 * the running test.
 */
export function useScriptedService(): ScriptedService {
  beforeEach(async () => {
    started = await startScriptedService();
  });
  afterEach(async () => {
    vi.useRealTimers();
    // A client that lost the service would keep asking for it.
    for (const client of clients.splice(0)) client.dispose();
    await started.close();
    // In every test: signed-in requests have a bearer token, others have none, and no URL contains a token.
    for (const { route, authorization } of started.requests) {
      if (needsNobody.test(route)) expect(`${authorization}`, route).not.toMatch(/eyJ/);
      else if (!takesAnybody.test(route)) expect(authorization, route).toMatch(/^Bearer eyJ/);
      expect(route).not.toMatch(/eyJ|rt_/);
    }
  });
  return new Proxy({} as ScriptedService, {
    get: (_, name) => Reflect.get(started, name),
    set: (_, name, value) => Reflect.set(started, name, value),
  });
}

/** Stops timers, `Date` and `performance` until advanced, for the rest of the test; sockets and promises continue. */
export function stopClock(): void {
  onTestFinished(() => void vi.useRealTimers());
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
    if (movedMs > limitMs) throw new Error(`Not settled within ${limitMs} ms of advanced time.`);
    await networkTurn();
    if (!settled) await vi.advanceTimersByTimeAsync(stepMs);
  }
  return work;
}

/** Moves the clock by `ms`. */
export function passing(ms: number): Promise<void> {
  return movingClock(new Promise((resolve) => setTimeout(resolve, ms)), 250, ms + 10_000);
}

/**
 * Waits until earlier requests to a server in this process have been answered: what was sent before a byte has arrived when
 * that byte returns. Once for a connection, and twice for each direction.
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

/** A connection to an echo server, unreferenced so that the process can exit. */
async function openLine(): Promise<Socket> {
  const server = createServer((far) => void far.unref().pipe(far)).unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  return socket.unref();
}

/** A `before` hook of a storage that cannot be used at the moment. */
export function locked(): never {
  throw new Error('locked');
}

/** A `before.set` hook of a storage that is written once, before a token is spent, and then behaves as `hook` does. */
export function afterFirst(hook: () => void | Promise<void>): () => void | Promise<void> {
  let isFirst = true;
  return () => {
    if (!isFirst) return hook();
    isFirst = false;
  };
}

/**
 * A storage over a map that records its calls; a `before` hook may throw or wait. `changed` tells its clients that another tab
 * has changed the map.
 */
export function watchedStorage(values = new Map<string, string>()) {
  const subscribers = new Set<() => void>();
  const storage = {
    subscribe(_key: string, onChange: () => void) {
      subscribers.add(onChange);
      return () => void subscribers.delete(onChange);
    },
    changed() {
      for (const notify of subscribers) notify();
    },
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

/** The stored values that contain a session; after a sign-out only the device token remains. */
export function sessionsIn({ values }: { values: Map<string, string> }): string[] {
  return [...values.values()].filter((value) => JSON.parse(value).r);
}

const clients: Client[] = [];

export function newClient(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ baseUrl: started.baseUrl, appKey: 'app_test', ...options });
  clients.push(client);
  return client;
}

/** A client with Ada signed in. */
export async function signedInClient(options: Partial<ClientOptions> = {}): Promise<Client> {
  const client = newClient(options);
  await client.auth.signUp(ada);
  return client;
}

/** A client with Ada signed in, and its storage. */
export async function storedClient(options: Partial<ClientOptions> = {}) {
  const storage = watchedStorage();
  return { client: await signedInClient({ storage, ...options }), storage };
}

/** A client with Ada signed in, whose access token the service no longer accepts. */
export async function expiredClient(options: Partial<ClientOptions> = {}): Promise<Client> {
  const client = await signedInClient(options);
  started.expireAccessTokens();
  return client;
}

/** A new access token of a client. */
export const refreshed = ({ auth }: Client) => auth.getAccessToken({ forceRefresh: true });

/** The states that a listener receives, in order. */
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
