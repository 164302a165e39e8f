// For which user a record counts, before and after a write.
import { limits } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { usageOfWrite } from './usage-rules.js';

const overhead = limits.recordOverheadBytes;
/** The record before the write: its size, its owner, and the user whom it counts for. */
type Before = [bytes: number, ownerUid: string | null, countedUid: string | null] | null;

type Row = [
  what: string,
  before: Before,
  bytes: number | null,
  writer: string | null,
  countedUid: string | null,
  totals: Record<string, number>,
  limited: string | null,
];

const rows: Row[] = [
  ['created by a user', null, 100, 'a', null, { a: 100 + overhead }, 'a'],
  ['created empty by a user', null, 0, 'a', null, { a: overhead }, 'a'],
  ['created by the backend', null, 100, null, null, {}, null],
  ['grown by its owner', [100, 'a', null], 130, 'a', null, { a: 30 }, 'a'],
  ['made smaller by its owner', [100, 'a', null], 40, 'a', null, { a: -60 }, null],
  ['rewritten with the same size', [100, 'a', null], 100, 'b', null, {}, null],
  ['deleted', [100, 'a', null], null, 'a', null, { a: -100 - overhead }, null],
  ['deleted by another user', [100, 'a', null], null, 'b', null, { a: -100 - overhead }, null],
  ['grown by another user', [100, 'a', null], 130, 'b', 'b', { a: -100 - overhead, b: 130 + overhead }, 'b'],
  ['made smaller by another user', [100, 'a', null], 40, 'b', null, { a: -60 }, null],
  ['grown by a third user', [100, 'a', 'b'], 130, 'c', 'c', { b: -100 - overhead, c: 130 + overhead }, 'c'],
  [
    'grown by its owner again',
    [100, 'a', 'b'],
    130,
    'a',
    null,
    { b: -100 - overhead, a: 130 + overhead },
    'a',
  ],
  ['made smaller by its owner, for whom it does not count', [100, 'a', 'b'], 40, 'a', 'b', { b: -60 }, null],
  [
    'deleted by its owner, for whom it does not count',
    [100, 'a', 'b'],
    null,
    'a',
    null,
    { b: -100 - overhead },
    null,
  ],
  ['grown by the backend', [100, 'a', null], 130, null, null, { a: 30 }, null],
  ['grown by the backend, counted for another', [100, 'a', 'b'], 130, null, 'b', { b: 30 }, null],
  ['of nobody, grown by a user', [100, null, null], 130, 'a', 'a', { a: 130 + overhead }, 'a'],
  ['of nobody, made smaller by a user', [100, null, null], 40, 'a', null, {}, null],
  ['of nobody, grown by the backend', [100, null, null], 130, null, null, {}, null],
  ['of nobody, deleted by a user', [100, null, null], null, 'a', null, {}, null],
];

describe('a record', () => {
  test.each(rows)('%s', (_, before, bytes, writer, countedUid, totals, limited) => {
    const existing = before && { bytes: before[0], ownerUid: before[1], countedUid: before[2] };
    const ownerUid = existing ? existing.ownerUid : writer;
    const usage = usageOfWrite(existing, bytes === null ? null : { bytes, ownerUid }, writer);
    expect({ ...usage, deltas: Object.fromEntries(usage.deltas.map((d) => [d.uid, d.bytes])) }).toEqual({
      countedUid,
      deltas: totals,
      limitedUid: limited,
    });
  });
});
