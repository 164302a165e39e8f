// Tests for which user a record counts, before and after a write.
import { limits } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { usageOfWrite } from './usage-rules.js';

const overhead = limits.recordOverheadBytes;
/** The totals of records of 100 and of 130 bytes. */
const [small, large] = [100 + overhead, 130 + overhead];
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
  ['created by a user', null, 100, 'a', null, { a: small }, 'a'],
  ['created empty by a user', null, 0, 'a', null, { a: overhead }, 'a'],
  ['created by the backend', null, 100, null, null, {}, null],
  ['grown by its owner', [100, 'a', null], 130, 'a', null, { a: 30 }, 'a'],
  ['made smaller by its owner', [100, 'a', null], 40, 'a', null, { a: -60 }, null],
  ['rewritten with the same size', [100, 'a', null], 100, 'b', null, {}, null],
  ['deleted', [100, 'a', null], null, 'a', null, { a: -small }, null],
  ['deleted by another user', [100, 'a', null], null, 'b', null, { a: -small }, null],
  ['grown by another user', [100, 'a', null], 130, 'b', 'b', { a: -small, b: large }, 'b'],
  ['made smaller by another user', [100, 'a', null], 40, 'b', null, { a: -60 }, null],
  ['grown by a third user', [100, 'a', 'b'], 130, 'c', 'c', { b: -small, c: large }, 'c'],
  ['grown by its owner again', [100, 'a', 'b'], 130, 'a', null, { b: -small, a: large }, 'a'],
  ['made smaller by its owner, for whom it does not count', [100, 'a', 'b'], 40, 'a', 'b', { b: -60 }, null],
  ['deleted by its owner, counted for another', [100, 'a', 'b'], null, 'a', null, { b: -small }, null],
  ['grown by the backend', [100, 'a', null], 130, null, null, { a: 30 }, null],
  ['grown by the backend, counted for another', [100, 'a', 'b'], 130, null, 'b', { b: 30 }, null],
  ['of nobody, grown by a user', [100, null, null], 130, 'a', 'a', { a: large }, 'a'],
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
