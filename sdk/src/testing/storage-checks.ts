// What the SDK relies on in a `TokenStorage`, as named checks that any test runner can run.
import { bounded, pause, until } from '../http/bounded.js';
import type { Maybe, TokenStorage } from '../session/storage.js';

/** How to reach the storage that `storageChecks` checks. */
export interface StorageUnderTest {
  /** Opens the storage. Each call opens the same values again, as the next start of the app does. */
  open(): Maybe<TokenStorage>;
  /** Opens the same values as another tab or process does. Default: `open`. */
  openElsewhere?(): Maybe<TokenStorage>;
  /**
   * Makes the storage unavailable, as a locked device does, and returns the function that undoes it. Without it, the check of
   * an unavailable storage is left out.
   */
  makeUnavailable?(): Maybe<() => Maybe<void>>;
  /** Time limit of a check, in milliseconds. Default: 4,000, less than that of most test runners. */
  timeoutMs?: number;
}

/** A guarantee that the SDK relies on. */
export interface StorageCheck {
  /** The guarantee, for the name of a test. */
  readonly name: string;
  /** Rejects with an error that says what the storage does instead. */
  run(): Promise<void>;
}

/**
 * Returns the checks of an implementation of `TokenStorage`. Run them one after the other. They store values under keys that
 * begin with `foyer.check`, and remove them. The checks of `lock`, `subscribe` and `channel` pass when the storage has no such
 * method.
 *
 * @example
 * for (const { name, run } of storageChecks({ open: () => myStorage('/tmp/session') })) test(name, run);
 */
export function storageChecks(target: StorageUnderTest): StorageCheck[] {
  return Object.entries(checks)
    .filter(([name]) => target.makeUnavailable || name !== unavailable)
    .map(([name, check], index) => ({ name, run: () => runCheck(target, check, `foyer.check-${index}`) }));
}

const defaultTimeoutMs = 4_000;
const unavailable = 'an unavailable storage rejects and loses nothing, instead of being empty';
/** Every character of a key, and a value as long as a secure store accepts. */
const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ.abcdefghijklmnopqrstuvwxyz_0123456789-';
const longest = '{"r":"é\\n✓ 😀"}'.padEnd(2_040, 'x');

interface Check {
  target: StorageUnderTest;
  key: string;
  storage: TokenStorage;
  /** The same values, as another tab or process sees them. */
  other: TokenStorage;
  /** Waits until this is so; fails within the time limit of the check. */
  eventually(isDone: () => boolean, what: string): Promise<void>;
}

const checks: Record<string, (check: Check) => Promise<void>> = {
  'a key without a value is null': async ({ storage, key }) => {
    equal(await storage.get(key), null, 'get without a value');
  },

  'a value is read as it was stored, up to 2,048 bytes and under every valid key': async ({
    storage,
    key,
  }) => {
    for (const value of ['{"r":"rt_1"}', longest, 'short']) {
      await storage.set(key, value);
      equal(await storage.get(key), value, 'get after set');
    }
    const other = `${key}${characters}`;
    await storage.set(other, 'other');
    equal(await storage.get(other), 'other', 'get of a long key');
    await storage.remove(other);
    equal(await storage.get(other), null, 'get after remove');
  },

  'keys do not affect each other, also where one begins with the other': async ({ storage, key }) => {
    await storage.set(key, 'session');
    equal(await storage.get(`${key}.out`), null, 'get of a key without a value');
    await storage.set(`${key}.out`, 'ended');
    await storage.remove(key);
    equal(await storage.get(`${key}.out`), 'ended', 'get of another key after remove');
    await storage.set(key, 'session');
    await storage.remove(`${key}.out`);
    equal(await storage.get(key), 'session', 'get of another key after remove');
  },

  'removing succeeds, with a value and without': async ({ storage, key }) => {
    await storage.remove(key);
    await storage.set(key, 'value');
    await storage.remove(key);
    equal(await storage.get(key), null, 'get after remove');
  },

  'a value is there at the next start, as soon as it was stored, unless `persistent` is false': async ({
    target,
    storage,
    key,
  }) => {
    for (const value of ['first', 'second', null]) {
      await (value ? storage.set(key, value) : storage.remove(key));
      if (storage.persistent === false) return;
      equal(await (await target.open()).get(key), value, 'get of the storage opened again');
    }
  },

  'a value is replaced in one step: it is never missing meanwhile': async ({ storage, key }) => {
    await storage.set(key, '0');
    for (let round = 1; round <= 5; round++) {
      let isDone = false;
      const write = (async () => storage.set(key, `${round}`))().finally(() => {
        isDone = true;
      });
      // Several reads before each turn of the event loop, which the write may need.
      for (let reads = 1; !isDone; reads++) {
        const seen = await storage.get(key);
        if (seen !== `${round}` && seen !== `${round - 1}`) fail('get during set', seen);
        if (reads % 20 === 0) await pause(0);
      }
      await write;
    }
  },

  [unavailable]: async ({ target, storage, key }) => {
    await storage.set(key, 'value');
    const undo = await target.makeUnavailable!();
    try {
      for (const [what, call] of Object.entries({
        'get while unavailable': () => storage.get(key),
        'set while unavailable': () => storage.set(key, 'lost'),
        'get of a storage opened while unavailable': async () => (await target.open()).get(key),
      })) {
        const result = await settled(call);
        if (!('error' in result)) fail(what, result.value, 'a rejection');
      }
    } finally {
      await undo();
    }
    equal(await storage.get(key), 'value', 'get once available again');
    equal(await (await target.open()).get(key), 'value', 'get of the storage opened once available again');
    const undoAgain = await target.makeUnavailable!();
    const removed = await settled(() => storage.remove(key));
    await undoAgain();
    // Whoever signs out must learn that the token is still there.
    if (!('error' in removed)) equal(await storage.get(key), null, 'get after a remove that succeeded');
  },

  'the lock admits one at a time, also from elsewhere, and the storage can be used inside': async ({
    storage,
    other,
    key,
  }) => {
    if (!storage.lock) return;
    let inside = 0;
    const work = async () => {
      equal(++inside, 1, 'number of holders of the lock');
      const count = Number(await storage.get(key));
      await pause(5);
      await storage.set(key, `${count + 1}`);
      inside--;
    };
    await Promise.all([storage, other, storage, other].map((each) => locked(each, key, work)));
    equal(await storage.get(key), '4', 'the count of four holders');
  },

  'the lock settles as its work does, and is free afterwards': async ({ storage, other, key }) => {
    if (!storage.lock) return;
    equal(await locked(storage, key, async () => 'result'), 'result', 'lock');
    const error = new Error('of the work');
    const result = await settled(() => locked(storage, key, () => Promise.reject(error)));
    equal('error' in result && result.error, error, 'the rejection of lock');
    equal(await locked(other, key, async () => 'next'), 'next', 'lock after a rejection');
  },

  'locks of different names do not wait for each other': async ({ storage, key }) => {
    if (!storage.lock) return;
    const inner = () => locked(storage, `${key}.out`, async () => 'inner');
    equal(await locked(storage, key, inner), 'inner', 'lock inside another');
  },

  'waiting for the lock ends when its signal aborts, and takes the lock from no one': async ({
    storage,
    other,
    key,
    eventually,
  }) => {
    if (!storage.lock) return;
    let release = () => {};
    let isHeld = false;
    const holder = locked(storage, key, async () => {
      isHeld = true;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    try {
      await eventually(() => isHeld, 'the lock is granted');
      const controller = new AbortController();
      let ran = false;
      const run = async () => {
        ran = true;
      };
      const waiting = settled(() => locked(other, key, run, controller.signal));
      await pause(20);
      controller.abort();
      await waiting;
      equal(ran, false, 'the aborted work ran');
      // Already aborted.
      await settled(() => locked(other, key, run, controller.signal));
      equal(ran, false, 'the aborted work ran');
    } finally {
      release();
    }
    await holder;
    equal(await locked(other, key, async () => 'next'), 'next', 'lock after an aborted wait');
  },

  'a subscriber hears each change of its key from elsewhere, until it unsubscribes': async ({
    storage,
    other,
    key,
    eventually,
  }) => {
    if (!storage.subscribe) return;
    const heard = { key: 0, out: 0 };
    const unsubscribe = storage.subscribe(key, () => heard.key++);
    const unsubscribeOut = storage.subscribe(`${key}.out`, () => heard.out++);
    try {
      await other.set(`${key}.out`, 'other');
      await eventually(() => heard.out > 0, 'the subscriber is called');
      equal(heard.key, 0, 'calls for a change of another key');
      for (const change of [
        () => other.set(key, 'value'),
        () => other.set(key, 'next'),
        () => other.remove(key),
      ]) {
        heard.key = 0;
        await change();
        await eventually(() => heard.key > 0, 'the subscriber is called');
      }
      unsubscribe();
      heard.key = heard.out = 0;
      await other.set(key, 'value');
      await other.remove(`${key}.out`);
      await eventually(() => heard.out > 0, 'the other subscriber is called');
      equal(heard.key, 0, 'calls after unsubscribing');
    } finally {
      unsubscribe();
      unsubscribeOut();
    }
  },

  'a message reaches every other channel of its name, until it is closed': async ({
    storage,
    other,
    key,
    eventually,
  }) => {
    if (!storage.channel || !other.channel) return;
    const received: Record<'sender' | 'closed' | 'other', unknown[]> = { sender: [], closed: [], other: [] };
    const sender = storage.channel(key, (message) => received.sender.push(message));
    const closed = other.channel(key, (message) => received.closed.push(message));
    const receiver = other.channel(key, (message) => received.other.push(message));
    try {
      for (const message of [{ id: 1 }, { id: 2 }]) {
        if (message.id === 2) closed.close();
        sender.postMessage(message);
        await eventually(() => received.other.length >= message.id, 'the message arrives');
      }
      equal(JSON.stringify(received.other), '[{"id":1},{"id":2}]', 'the messages received');
      equal(received.closed.length, 1, 'messages received until the channel was closed');
      equal(received.sender.length, 0, 'messages received by their sender');
    } finally {
      sender.close();
      closed.close();
      receiver.close();
    }
  },
};

async function runCheck(
  target: StorageUnderTest,
  check: (check: Check) => Promise<void>,
  key: string,
): Promise<void> {
  const storage = await target.open();
  const other = await (target.openElsewhere ?? target.open).call(target);
  const { timeoutMs = defaultTimeoutMs } = target;
  const eventually = async (isDone: () => boolean, what: string) => {
    await until(isDone, 0.75 * timeoutMs);
    if (!isDone()) throw new Error(`${what}: not within the time limit`);
  };
  try {
    await bounded(() => check({ target, key, storage, other, eventually }), timeoutMs);
  } finally {
    // What failed is reported, not that its values remain.
    for (const used of [key, `${key}.out`, `${key}${characters}`]) await settled(() => storage.remove(used));
  }
}

function locked<T>(
  storage: TokenStorage,
  name: string,
  run: () => Promise<T>,
  signal = new AbortController().signal,
): Promise<T> {
  return storage.lock!(name, run, { signal });
}

async function settled(call: () => unknown): Promise<{ value: unknown } | { error: unknown }> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}

function equal(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) fail(what, actual, JSON.stringify(expected));
}

function fail(what: string, actual: unknown, expected?: string): never {
  const instead = expected ? `, not ${expected}` : '';
  throw new Error(`${what}: ${JSON.stringify(actual) ?? actual}${instead}`);
}
