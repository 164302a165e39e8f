import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { forBackend } from '../../test/held-hasher.js';
import type { PasswordHasher } from '../deps.js';
import { systemRandom } from '../lib/crypto/random.js';
import {
  type Argon2Parameters,
  argon2Parameters,
  type HasherOptions,
  passwordHasher,
} from './password-hasher.js';

const random = systemRandom();
const cheap: Argon2Parameters = { memoryCost: 8, timeCost: 1, parallelism: 1 };
/** A tenth of a second's work: long enough to be interrupted. */
const long: Argon2Parameters = { memoryCost: 32_768, timeCost: 3, parallelism: 1 };
const unavailable = { code: 'request/unavailable', headers: { 'Retry-After': '2' } };

const opened: PasswordHasher[] = [];
async function hasher(options: HasherOptions = {}) {
  const made = await passwordHasher(random, { parameters: cheap, threads: 1, ...options });
  opened.push(made);
  return forBackend(made);
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe('hashes', () => {
  test.each<[string, HasherOptions]>([
    ['the faster binding', {}],
    ['the portable binding', { binding: 'argon2' }],
  ])('of %s are PHC strings of argon2id with the parameters of this version', async (_what, binding) => {
    const one = await hasher({ parameters: argon2Parameters, ...binding });
    const hash = await one.hash('correct horse');
    expect(one.isOutdated(hash)).toBe(false);
    expect(hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(await one.verify(hash, 'correct horse')).toBe(true);
    expect(await one.verify(hash, 'correct horsf')).toBe(false);
    expect(await one.hash('correct horse')).not.toBe(hash);
  });

  test.each([
    ['an empty one', ''],
    ['spaces', '        '],
    ['emoji', '🔑🗝️🔐🔒'],
    ['1,024 bytes', 'x'.repeat(1_024)],
    ['U+0000 inside', 'before\u0000after'],
  ])('of each binding are verified by the other: %s', async (_what, password) => {
    const fast = await hasher();
    const portable = await hasher({ binding: 'argon2' });
    for (const [from, to] of [
      [fast, portable],
      [portable, fast],
    ] as const) {
      const hash = await from.hash(password);
      expect(await to.verify(hash, password)).toBe(true);
      expect(await to.verify(hash, `${password}.`)).toBe(false);
      expect(to.isOutdated(hash)).toBe(false);
    }
  });

  test('do not truncate a password at U+0000, with either binding', async () => {
    for (const one of [await hasher(), await hasher({ binding: 'argon2' })]) {
      expect(await one.verify(await one.hash('before\u0000after'), 'before\u0000other')).toBe(false);
    }
  });

  test.each<[string, Partial<Argon2Parameters>]>([
    ['memory', { memoryCost: 16 }],
    ['time', { timeCost: 2 }],
    ['lanes', { parallelism: 2 }],
  ])('with another %s parameter are outdated, and still verified', async (_what, change) => {
    const parameters = { ...cheap, memoryCost: 16, ...change };
    const before = await hasher({ parameters: { ...cheap, memoryCost: 32 } });
    const after = await hasher({ parameters });
    const hash = await before.hash('correct horse');
    expect([before.isOutdated(hash), after.isOutdated(hash)]).toEqual([false, true]);
    expect(await after.verify(hash, 'correct horse')).toBe(true);
  });

  test('the decoy matches no password, costs as much as a hash, and differs at each start', async () => {
    const one = await hasher();
    expect(one.isOutdated(one.decoyHash)).toBe(false);
    for (const guess of ['', 'undefined', one.decoyHash])
      expect(await one.verify(one.decoyHash, guess)).toBe(false);
    expect((await hasher()).decoyHash).not.toBe(one.decoyHash);
  });

  test('an invalid hash fails only its own job', async () => {
    const one = await hasher();
    await expect(one.verify('not a hash', 'correct horse')).rejects.toThrow();
    expect(await one.verify(await one.hash('correct horse'), 'correct horse')).toBe(true);
  });
});

describe('the queue', () => {
  test('refuses jobs beyond the half for one app, before any work, and accepts more after it advances', async () => {
    const one = await hasher({ parameters: long, maxWaiting: 4 });
    const doneBefore = one.done;
    const accepted = [one.hash('a'), one.hash('b'), one.hash('c')];
    expect(one.waiting).toBe(2);
    await expect(one.hash('d')).rejects.toMatchObject(unavailable);
    await expect(one.verify(one.decoyHash, 'd')).rejects.toMatchObject(unavailable);
    await accepted[0];
    const later = one.hash('e');
    expect(await Promise.all([...accepted, later])).toHaveLength(4);
    expect([one.done - doneBefore, one.waiting]).toEqual([4, 0]);
  });

  test('is served in order', async () => {
    const one = await hasher();
    const order: number[] = [];
    await Promise.all([0, 1, 2, 3, 4].map((place) => one.hash('x').then(() => order.push(place))));
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  test('is refused when the hasher closes, as is every later job', async () => {
    const one = await hasher({ parameters: long });
    const running = one.hash('a');
    const waiting = one.hash('b');
    const refused = Promise.all([
      expect(running).rejects.toMatchObject(unavailable),
      expect(waiting).rejects.toMatchObject(unavailable),
    ]);
    await one.close();
    await refused;
    await expect(one.hash('c')).rejects.toMatchObject(unavailable);
  });
});

describe('a hashing thread that crashes', () => {
  async function withThreads(options: HasherOptions) {
    const threads: Worker[] = [];
    const remember = (worker: Worker) => threads.push(worker);
    process.on('worker', remember);
    const one = await hasher(options);
    opened.push({ ...one, close: async () => void process.off('worker', remember) });
    return { one, threads };
  }

  test('fails its current job with 503, and another thread does the next jobs', async () => {
    const { one, threads } = await withThreads({ parameters: long });
    const lost = expect(one.hash('a')).rejects.toMatchObject(unavailable);
    const waiting = one.hash('b');
    await threads[0]?.terminate();
    await lost;
    expect(await one.verify(await waiting, 'b')).toBe(true);
    expect(threads).toHaveLength(2);
  });

  test('while idle is replaced, and no job hangs', async () => {
    const { one, threads } = await withThreads({ threads: 2 });
    await Promise.all(threads.map((thread) => thread.terminate()));
    await vi.waitUntil(() => threads.length === 4, { timeout: 15_000 });
    const hashes = await Promise.all(Array.from({ length: 8 }, () => one.hash('x')));
    expect(await one.verify(hashes[7] as string, 'x')).toBe(true);
  });

  test('ten times in a row leaves the hasher working', async () => {
    const { one, threads } = await withThreads({ parameters: long });
    for (let deaths = 0; deaths < 10; deaths += 1) {
      const job = one.hash('x').catch(() => 'lost');
      await threads.at(-1)?.terminate();
      expect(await job).toBe('lost');
    }
    expect(await one.hash('x')).toContain('$argon2id$');
    expect(threads).toHaveLength(11);
  });
});
