import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { forBackend, heldHasher } from '../../test/held-hasher.js';
import { type HashJob, hashThreads } from './hash-threads.js';
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

/** Closed after the test. */
async function hasher(options: HasherOptions = {}) {
  const made = passwordHasher(random, { parameters: cheap, threads: 1, ...options });
  onTestFinished(() => made.close());
  return forBackend(made);
}

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

  test('of each binding are verified by the other, whole', async () => {
    const fast = await hasher();
    const portable = await hasher({ binding: 'argon2' });
    const both = [
      [fast, portable],
      [portable, fast],
    ] as const;
    for (const [from, to] of both) {
      for (const password of ['', '        ', '🔑🗝️🔐🔒', 'x'.repeat(1_024), 'before\u0000after']) {
        const hash = await from.hash(password);
        expect(await to.verify(hash, password)).toBe(true);
        expect(await to.verify(hash, `${password}.`)).toBe(false);
        expect(to.isOutdated(hash)).toBe(false);
      }
      // The password is not truncated at U+0000.
      expect(await from.verify(await from.hash('before\u0000after'), 'before\u0000other')).toBe(false);
    }
  });

  test('with other parameters are outdated, and still verified', async () => {
    const parameters = { ...cheap, memoryCost: 32 };
    const before = await hasher({ parameters });
    const hash = await before.hash('correct horse');
    expect(before.isOutdated(hash)).toBe(false);
    for (const change of [{ memoryCost: 16 }, { timeCost: 2 }, { parallelism: 2 }]) {
      const after = await hasher({ parameters: { ...parameters, ...change } });
      expect(after.isOutdated(hash)).toBe(true);
      expect(await after.verify(hash, 'correct horse')).toBe(true);
    }
  });

  test('the decoy matches no password, costs as much as a hash, and differs at each start', async () => {
    const one = await hasher();
    expect(one.isOutdated(one.decoyHash)).toBe(false);
    // 16 bytes of salt and 32 of a digest, as the hashes have them.
    expect(one.decoyHash).toMatch(/^\$argon2id\$v=19\$[mtp=,\d]+\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
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
    // One runs, one follows, and two wait.
    const accepted = ['a', 'b', 'c', 'd'].map((password) => one.hash(password));
    expect(one.waiting).toBe(2);
    await expect(one.hash('e')).rejects.toMatchObject(unavailable);
    await expect(one.verify(one.decoyHash, 'e')).rejects.toMatchObject(unavailable);
    await accepted[0];
    const later = one.hash('f');
    expect(await Promise.all([...accepted, later])).toHaveLength(5);
    expect([one.done - doneBefore, one.waiting]).toEqual([5, 0]);
  });

  test('has 64 places for each thread, of which one app takes half', async () => {
    const held = await heldHasher({ threads: 2 });
    held.hold();
    const hash = () => held.hasher.hash('', { appId: 'app', backend: true });
    // Two run, two follow, and 64 wait.
    const accepted = Array.from({ length: 68 }, hash);
    const refused = expect(hash()).rejects.toMatchObject(unavailable);
    expect(held.hasher.waiting).toBe(64);
    await refused;
    held.release();
    await Promise.all(accepted);
    await held.hasher.close();
  });

  test('is refused when the hasher closes, as is every later job', async () => {
    const threads: Worker[] = [];
    const remember = (worker: Worker) => void threads.push(worker);
    process.on('worker', remember);
    onTestFinished(() => void process.off('worker', remember));
    const one = await hasher({ parameters: long });
    const running = one.hash('a');
    const waiting = [one.hash('b'), one.hash('c')];
    const refused = Promise.all(
      [running, ...waiting].map((job) => expect(job).rejects.toMatchObject(unavailable)),
    );
    await vi.waitUntil(() => threads.length === 1, { interval: 1, timeout: 60_000 });
    let isEnded = false;
    threads[0]?.once('exit', () => {
      isEnded = true;
    });
    await one.close();
    expect(isEnded).toBe(true);
    await refused;
    await expect(one.hash('c')).rejects.toMatchObject(unavailable);
  });
});

test('two jobs at once are done by two idle threads, and not one behind the other', async () => {
  const threads: Worker[] = [];
  const remember = (worker: Worker) => void threads.push(worker);
  process.on('worker', remember);
  onTestFinished(() => void process.off('worker', remember));
  // A core is left to the event loop while it is busy, as it is on a machine where other tests run.
  const utilization = vi.spyOn(performance, 'eventLoopUtilization');
  utilization.mockReturnValue({ active: 0, idle: 1_000, utilization: 0 });
  onTestFinished(() => utilization.mockRestore());
  const one = await hasher({ threads: 2 });
  const both = () => Promise.all([one.hash('a'), one.hash('b')]);
  await both();
  await vi.waitUntil(() => threads.length === 2, { timeout: 60_000 });
  const posts = threads.map((thread) => vi.spyOn(thread, 'postMessage'));
  await both();
  expect(posts.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('two jobs at once are done one behind the other while the event loop is busy', async () => {
  const threads: Worker[] = [];
  const remember = (worker: Worker) => void threads.push(worker);
  process.on('worker', remember);
  onTestFinished(() => void process.off('worker', remember));
  const samples: unknown[] = [];
  const busy = { active: 1_000, idle: 0, utilization: 1 };
  const utilization = vi.spyOn(performance, 'eventLoopUtilization');
  utilization.mockImplementation((_current, since) => {
    if (since) samples.push(since);
    return { ...busy };
  });
  onTestFinished(() => utilization.mockRestore());
  const one = await hasher({ threads: 2 });
  await Promise.all([one.hash('a'), one.hash('b')]);
  await one.hash('c');
  expect(threads).toHaveLength(1);
  // Each sample begins where the one before ended.
  expect(samples.length).toBeGreaterThan(1);
  expect(new Set(samples).size).toBe(samples.length);
});

describe('the threads', () => {
  test('do not keep the process from its end', async () => {
    const unref = vi.spyOn(Worker.prototype, 'unref');
    onTestFinished(() => unref.mockRestore());
    const one = await hasher();
    await one.hash('a');
    expect(unref).toHaveBeenCalledTimes(1);
  });

  test('have ended once the hasher is closed, and get no job in place of those that were refused', async () => {
    const threads: Worker[] = [];
    const remember = (worker: Worker) => void threads.push(worker);
    process.on('worker', remember);
    onTestFinished(() => void process.off('worker', remember));
    const settled: string[] = [];
    const jobs = ['a', 'b', 'c'].map(
      (password): HashJob => ({
        message: { password, slow: false },
        resolve: () => settled.push(password),
        reject: () => settled.push(`${password} refused`),
      }),
    );
    const made = hashThreads(1, { parameters: long }, () => jobs.shift());
    made.wake();
    await vi.waitUntil(() => threads.length === 1, { interval: 1, timeout: 60_000 });
    let isEnded = false;
    threads[0]?.once('exit', () => {
      isEnded = true;
    });
    await made.close();
    expect([isEnded, settled, jobs.length]).toEqual([true, ['a refused', 'b refused'], 1]);
  });
});

describe('a hashing thread that crashes', () => {
  async function withThreads(options: HasherOptions) {
    const threads: Worker[] = [];
    const remember = (worker: Worker) => threads.push(worker);
    process.on('worker', remember);
    onTestFinished(() => void process.off('worker', remember));
    // Node reports a new thread after the call that started it.
    const started = (count: number) =>
      vi.waitUntil(() => threads.length === count, { interval: 1, timeout: 60_000 });
    return { one: await hasher(options), threads, started };
  }

  test('fails its current job with 503, and another thread does the next jobs in order', async () => {
    const { one, threads, started } = await withThreads({ parameters: long });
    const lost = expect(one.hash('a')).rejects.toMatchObject(unavailable);
    const order: string[] = [];
    const waiting = ['b', 'c'].map((password) =>
      one.hash(password).then((hash) => {
        order.push(password);
        return hash;
      }),
    );
    await started(1);
    await threads[0]?.terminate();
    await lost;
    const [next] = await Promise.all(waiting);
    expect(await one.verify(next as string, 'b')).toBe(true);
    expect(order).toEqual(['b', 'c']);
    expect(threads).toHaveLength(2);
  });

  test('with an error, before it ends, returns its next job once', async () => {
    const { one, threads, started } = await withThreads({ parameters: long });
    const lost = expect(one.hash('a')).rejects.toMatchObject(unavailable);
    const next = one.hash('b');
    await started(1);
    threads[0]?.emit('error', new Error('out of memory'));
    await threads[0]?.terminate();
    await lost;
    await next;
    await one.hash('c');
    expect([one.done, threads.length]).toEqual([2, 2]);
  });

  test('while idle is not given a job: another thread does it', async () => {
    const { one, threads } = await withThreads({ threads: 2 });
    await Promise.all([one.hash('x'), one.hash('x')]);
    expect(threads.length).toBeGreaterThan(0);
    await Promise.all(threads.map((thread) => thread.terminate()));
    const hashes = await Promise.all(Array.from({ length: 8 }, () => one.hash('x')));
    expect(await one.verify(hashes[7] as string, 'x')).toBe(true);
  });

  test('three times in a row leaves the hasher working', async () => {
    const { one, threads, started } = await withThreads({ parameters: long });
    for (let deaths = 0; deaths < 3; deaths += 1) {
      const job = one.hash('x').catch(() => 'lost');
      await started(deaths + 1);
      await threads.at(-1)?.terminate();
      expect(await job).toBe('lost');
    }
    expect(await one.hash('x')).toContain('$argon2id$');
    expect(threads).toHaveLength(4);
  });

  test('before it starts fails the job with 503', async () => {
    // A function cannot be passed to a thread: the thread is refused, as by a system that has no more.
    const jobs: HashJob[] = [];
    const threads = hashThreads(1, { refused: () => {} }, () => jobs.shift());
    const lost = new Promise<string | boolean>((resolve, reject) => {
      jobs.push({ message: { password: 'a', slow: false }, resolve, reject });
    });
    threads.wake();
    await expect(lost).rejects.toMatchObject(unavailable);
    await threads.close();
  });
});
