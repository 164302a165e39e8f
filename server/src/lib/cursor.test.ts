import { InstantInput, Ulid } from '@foyer/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { decodeCursor, encodeCursor } from './cursor.js';

const time = '2026-03-01T10:00:00.123000Z';
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const id = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

const refusal = expect.objectContaining({
  code: 'request/validation-failed',
  fields: { cursor: ['must be the next_cursor of an earlier page'] },
});

test('a cursor decodes to its keys, and is safe in a URL', () => {
  expect(decodeCursor(encodeCursor([time, id]), InstantInput, Ulid)).toEqual([time, id]);
  expect(decodeCursor(encodeCursor([id]), Ulid)).toEqual([id]);
  expect(encodeCursor(['>>>???', 'ÿ'])).toMatch(/^[A-Za-z0-9_-]+$/);
});

test.each([
  ['nothing', ''],
  ['no base64', '!!!'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['a key too few', encodeCursor([time])],
  ['a key too many', encodeCursor([time, id, id])],
  ['the keys in another order', encodeCursor([id, time])],
  ['the keys of another list', encodeCursor(['ada@example.com', id])],
  ['a day that no month has', encodeCursor(['2026-99-99T10:00:00.000000Z', id])],
  ['a day that this month does not have', encodeCursor(['2026-02-30T10:00:00.000000Z', id])],
  ['a year before those of the database', encodeCursor(['0000-01-01T00:00:00.000000Z', id])],
  ['a year after those of `Date`', encodeCursor(['+999999-01-01T00:00:00.000000Z', id])],
  ['an instant of the database alone', encodeCursor(['infinity', id])],
  ['a number of 400 digits', encodeCursor(['9'.repeat(400), id])],
  ['a key that is a number', json([1_767_225_600, id])],
  ['a key that is null', json([time, null])],
  ['a key that is a list', json([[time], id])],
  ['a key that is an object with a length', json([time, { length: 26 }])],
  ['lists in lists', Buffer.from('['.repeat(700)).toString('base64url')],
  ['an object that looks like a list', json({ 0: time, 1: id, length: 2 })],
  ['null', json(null)],
])('a cursor of %s is refused with the name of the field', (_what, cursor) => {
  expect(() => decodeCursor(cursor, InstantInput, Ulid)).toThrow(refusal);
});

test.each([
  ['U+0000', '\u0000'],
  ['half of a surrogate pair', '\ud800'],
])('%s is refused also where any text is a key', (_what, key) => {
  expect(() => decodeCursor(encodeCursor([key]), z.string())).toThrow(refusal);
});
