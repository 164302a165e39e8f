import { expect, onTestFinished, test, vi } from 'vitest';
import { systemRandom } from './random.js';

test('random bytes have the requested length and never repeat', () => {
  const random = systemRandom();
  const seen = new Set<string>();
  for (let draw = 0; draw < 2_000; draw += 1) {
    const bytes = random.bytes(16);
    expect(bytes).toHaveLength(16);
    seen.add(bytes.toString('hex'));
  }
  expect(seen.size).toBe(2_000);
  for (const count of [0, 1, 8_191, 8_192, 8_193, 100_000]) expect(random.bytes(count)).toHaveLength(count);
});

test('returned bytes are not overwritten by later calls', () => {
  const random = systemRandom();
  const kept = Array.from({ length: 100 }, () => random.bytes(200));
  const copies = kept.map((bytes) => bytes.toString('hex'));
  for (let draw = 0; draw < 500; draw += 1) random.bytes(200);
  expect(kept.map((bytes) => bytes.toString('hex'))).toEqual(copies);
});

test('returned bytes do not remain in the memory of the generator', () => {
  const alloc = vi.spyOn(Buffer, 'alloc');
  onTestFinished(() => alloc.mockRestore());
  const random = systemRandom();
  const pool = alloc.mock.results[0]?.value as Buffer;
  const drawn = random.bytes(16);
  expect(pool.includes(drawn)).toBe(false);
  expect(pool.subarray(0, 16)).toEqual(Buffer.alloc(16));
  expect(pool.subarray(16)).not.toEqual(Buffer.alloc(8_176));
});

test('ids sort in creation order, within a millisecond and when the clock steps back', () => {
  const random = systemRandom();
  const start = Date.parse('2026-03-01T10:00:00Z');
  const times = [...Array(500).fill(start), start + 1, start - 60_000, start - 60_000, start + 2];
  const ids = times.map((time) => random.ulid(new Date(time)));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
