// The only source of random bytes and ids.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

export type Random = {
  bytes(count: number): Buffer;
  /** Monotonic in one process, even if the clock steps back. */
  ulid(now: Date): string;
};

const poolBytes = 8_192;

export function systemRandom(): Random {
  const pool = Buffer.alloc(poolBytes);
  let used = poolBytes;

  function bytes(count: number): Buffer {
    if (count > poolBytes) return randomFillSync(Buffer.alloc(count));
    return draw(count, (at) => Buffer.from(pool.subarray(at, at + count)));
  }

  function draw<T>(count: number, read: (at: number) => T): T {
    if (used + count > poolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    const drawn = read(used);
    // Returned bytes must not remain in the pool.
    pool.fill(0, used, used + count);
    used += count;
    return drawn;
  }

  // An id needs sixteen numbers; allocating a buffer for each would dominate its cost.
  const number = () => draw(4, (at) => pool.readUInt32BE(at)) / 2 ** 32;
  const nextUlid = monotonicFactory(number);
  return { bytes, ulid: (now) => nextUlid(now.getTime()) };
}
