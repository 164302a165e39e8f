// Remote config: values that the app's team changes without a release, for signed-in and signed-out clients. Caches the
// last values with their ETag, for conditional requests and offline use.
import type { Client, RepeatableCallOptions } from '../api.js';
import { isFoyerError } from '../errors.js';
import { bounded } from '../http/bounded.js';
import { isTransient, withRetries } from '../http/retry.js';
import { send } from '../http/send.js';
import { coreOf, type Sender } from '../session/core.js';
import type { Maybe } from '../session/storage.js';

/** A value of the remote config; JSON objects and arrays are parsed. */
export type ConfigValue = string | number | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

export type ConfigValues = Readonly<Record<string, ConfigValue>>;

/** Stores one non-secret string under one key (`[A-Za-z0-9._-]`). A `TokenStorage` is compatible. */
export interface ConfigStorage {
  /** Returns the stored value, or `null`. */
  get(key: string): Maybe<string | null>;
  /** Stores the value. */
  set(key: string, value: string): Maybe<void>;
}

export interface RemoteConfigOptions {
  /** Stores the last values for the next start. Default: memory only. */
  storage?: ConfigStorage | undefined;
}

export interface RemoteConfig {
  /**
   * Fetches the values. When the service is unreachable, returns the last ones, or rejects if there are none. Strings
   * that contain a JSON object or array are parsed.
   */
  get(options?: RepeatableCallOptions): Promise<ConfigValues>;
  /**
   * Returns one value of the last `get`, which is called first if necessary. Returns the fallback when the app has no
   * such value, when its type differs (string, number, boolean, array, object), or when the service is unreachable and
   * no values are cached. Contents of arrays and objects are not validated.
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
type Cached = { etag: string; values: Delivered };

const storageMs = 3_000;

/**
 * Returns the remote config of a client's app. Create it once: it caches the values. Throws `client/invalid-argument`
 * when `client` was not created by `createClient`.
 *
 * @example
 * const config = remoteConfig(client, { storage: webStorage() });
 * const url = await config.value('telegram_url', 'https://t.me/example');
 */
export function remoteConfig(client: Client, { storage }: RemoteConfigOptions = {}): RemoteConfig {
  const core = coreOf(client);
  const { options, emit } = core;
  const key = `foyer.config.${options.appKey.replace(/[^A-Za-z0-9._-]/g, '_')}`;
  let cached: Cached | undefined;
  /** Sequence numbers of the last request started, and of the one whose response is cached. */
  let lastCall = 0;
  let cachedCall = 0;
  let restored: Promise<void> | undefined;
  let first: Promise<void> | undefined;

  /** Treats read errors as an empty cache. */
  async function restore(from: ConfigStorage): Promise<void> {
    try {
      const stored = JSON.parse((await bounded(async () => from.get(key), storageMs)) ?? 'null');
      if (typeof stored?.etag === 'string' && stored.values instanceof Object) cached ??= stored;
    } catch {}
  }

  async function request(call: RepeatableCallOptions): Promise<Delivered> {
    const known = cached;
    lastCall += 1;
    const thisCall = lastCall;
    let etag = '';
    const headers = { ...call.headers, ...(known?.etag && { 'If-None-Match': known.etag }) };
    const sender: Sender = {
      options,
      emit,
      async fetchNow(input, init) {
        const response = await core.fetchNow(input, init);
        etag = response.headers.get('ETag') ?? '';
        return response;
      },
    };
    let answer: Cached;
    try {
      answer = { values: await send<Delivered>(sender, 'GET /config', {}, { ...call, headers }), etag };
    } catch (error) {
      if (!known || !isFoyerError(error) || error.status !== 304) throw error;
      answer = known;
    }
    // A late response of an earlier request must not replace that of a later one.
    if (thisCall < cachedCall && cached) return cached.values;
    cachedCall = thisCall;
    cached = answer;
    // A storage failure does not fail the request.
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
      const values = await withRetries(core, () => request(call), maxRetries, call.signal);
      first ??= Promise.resolve();
      return values;
    } catch (error) {
      if (cached && isUnreachable(error)) return cached.values;
      throw error;
    }
  }

  /** The first fetch, shared by concurrent `value` calls. */
  async function fetchFirst(): Promise<void> {
    try {
      await deliver({});
    } catch (error) {
      first = undefined;
      if (!isUnreachable(error)) throw error;
    }
  }

  async function value(name: string, fallback: unknown): Promise<never> {
    first ??= fetchFirst();
    await first;
    const values = cached?.values ?? {};
    const delivered = Object.keys(values).includes(name) ? values[name] : undefined;
    // A string fallback requests the raw string, even if it is JSON.
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

function isUnreachable(error: unknown): boolean {
  return isFoyerError(error) && isTransient(error);
}

/** Parses at each call, so that an app's mutations do not affect the cache. */
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
