// Remote config: the values that the app's team changes without a release. Works signed in and signed out; the last values
// are kept with their entity tag, so that asking again costs little and an app without a network still has them.
import type { Client, RepeatableCallOptions } from './api.js';
import { bounded } from './bounded.js';
import { FoyerError, isFoyerError } from './errors.js';
import { createSend } from './http.js';
import { partsOf } from './parts.js';
import { mayPass, withRetries } from './retry.js';
import type { Maybe } from './storage.js';

/** A value of the remote config: objects and lists come parsed. */
export type ConfigValue = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

export type ConfigValues = Readonly<Record<string, ConfigValue>>;

/** Keeps one string, which is no secret, under one key (`[A-Za-z0-9._-]`). A `TokenStorage` is one too. */
export interface ConfigStorage {
  get(key: string): Maybe<string | null>;
  set(key: string, value: string): Maybe<void>;
}

export interface RemoteConfigOptions {
  /** Keeps the last values for the next start; without it they live in memory. */
  storage?: ConfigStorage | undefined;
}

export interface RemoteConfig {
  /**
   * The values as they are now. When the service cannot be reached: the last ones, or a rejection where there are none.
   * Strings that hold a JSON object or list come parsed.
   */
  get(options?: RepeatableCallOptions): Promise<ConfigValues>;
  /**
   * One value of the last `get`, which is called first where there was none. The fallback is given where the app has no
   * such value, or one of another type (string, number, boolean, list, object), or there are no values yet and the service
   * cannot be reached. What a list or an object holds is not looked at.
   *
   * @example
   * const limit = await config.value('upload_limit', 10);
   * const cards = await config.value('cards', [] as Card[]);
   */
  value(name: string, fallback: string): Promise<string>;
  value(name: string, fallback: number): Promise<number>;
  value(name: string, fallback: boolean): Promise<boolean>;
  value<T extends object>(name: string, fallback: T): Promise<T>;
}

type Delivered = Readonly<Record<string, string | number | boolean>>;
type Held = { etag: string; values: Delivered };

const storageMs = 3_000;

/**
 * The remote config of the client's app. Make one and keep it: it holds the values.
 *
 * @example
 * const config = remoteConfig(client, { storage: webStorage() });
 * const url = await config.value('telegram_url', 'https://t.me/example');
 */
export function remoteConfig(client: Client, { storage }: RemoteConfigOptions = {}): RemoteConfig {
  const parts = partsOf.get(client);
  if (!parts) throw new FoyerError('client/invalid-argument', 'This client is none of createClient.');
  const { options, fetch: fetchNow, emit } = parts;
  const key = `foyer.config.${options.appKey.replace(/[^A-Za-z0-9._-]/g, '_')}`;
  let held: Held | undefined;
  /** Of the calls, in the order in which they began: the last one, and the one whose answer is held. */
  let lastCall = 0;
  let heldCall = 0;
  let restored: Promise<void> | undefined;
  let first: Promise<void> | undefined;

  /** What cannot be read is asked for as if there were nothing. */
  async function restore(from: ConfigStorage): Promise<void> {
    try {
      const stored = JSON.parse((await bounded(async () => from.get(key), storageMs)) ?? 'null');
      if (typeof stored?.etag === 'string' && stored.values instanceof Object) held ??= stored;
    } catch {}
  }

  async function ask(call: RepeatableCallOptions): Promise<Delivered> {
    const known = held;
    lastCall += 1;
    const thisCall = lastCall;
    let etag = '';
    const headers = { ...call.headers, ...(known?.etag && { 'If-None-Match': known.etag }) };
    const send = createSend(
      options,
      async (input, init) => {
        const response = await fetchNow(input, init);
        etag = response.headers.get('ETag') ?? '';
        return response;
      },
      emit,
    );
    let answer: Held;
    try {
      answer = { values: await send<Delivered>('GET /config', {}, { ...call, headers }), etag };
    } catch (error) {
      if (!known || !isFoyerError(error) || error.status !== 304) throw error;
      answer = known;
    }
    // The late answer of an earlier call takes nothing from that of a later one.
    if (thisCall < heldCall && held) return held.values;
    heldCall = thisCall;
    held = answer;
    // The values are the answer, whether or not they could be kept.
    if (storage && answer !== known) {
      await bounded(async () => storage.set(key, JSON.stringify(answer)), storageMs).catch(() => {});
    }
    return answer.values;
  }

  async function deliver(call: RepeatableCallOptions): Promise<Delivered> {
    if (storage) restored ??= restore(storage);
    await restored;
    const maxRetries = call.maxRetries ?? options.maxRetries ?? 2;
    try {
      const values = await withRetries(() => ask(call), { maxRetries, signal: call.signal, emit });
      first ??= Promise.resolve();
      return values;
    } catch (error) {
      if (held && isUnreached(error)) return held.values;
      throw error;
    }
  }

  /** Asks once for all values that are wanted before there are any. */
  async function begin(): Promise<void> {
    try {
      await deliver({});
    } catch (error) {
      first = undefined;
      if (!isUnreached(error)) throw error;
    }
  }

  async function value(name: string, fallback: unknown): Promise<never> {
    first ??= begin();
    await first;
    const values = held?.values ?? {};
    const delivered = Object.hasOwn(values, name) ? values[name] : undefined;
    // Who wants a string wants it as it is, also where it could be read as JSON.
    const found = typeof fallback === 'string' ? delivered : parsed(delivered);
    return (kindOf(found) === kindOf(fallback) ? found : fallback) as never;
  }

  return {
    async get(call = {}) {
      const values = Object.entries(await deliver(call));
      return Object.fromEntries(values.map(([name, each]) => [name, parsed(each)])) as ConfigValues;
    },
    value,
  };
}

function isUnreached(error: unknown): boolean {
  return isFoyerError(error) && mayPass(error);
}

/** Anew each time, so that what an app does to a value stays with it. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}
