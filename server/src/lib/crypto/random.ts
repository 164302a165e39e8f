// The one place that draws random bytes, and makes ids of them.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

export type Random = {
  bytes(count: number): Buffer;
  /** Ids made in one process sort in the order they were made, even when the clock steps back. */
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
    // Nothing that was handed out stays behind in the pool.
    pool.fill(0, used, used + count);
    used += count;
    return drawn;
  }

  // An id asks for sixteen numbers; a buffer for each would cost more than all else of it.
  const number = () => draw(4, (at) => pool.readUInt32BE(at)) / 2 ** 32;
  const nextUlid = monotonicFactory(number);
  return { bytes, ulid: (now) => nextUlid(now.getTime()) };
}
