import { Timestamp, Ulid } from '@foyer/contract';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';

const time = '2026-03-01T10:00:00.123000Z';
const id = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

test('a cursor decodes to its keys, and is safe in a URL', () => {
  expect(decodeCursor(encodeCursor([time, id]), Timestamp, Ulid)).toEqual([time, id]);
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
  ['a key that is no string', Buffer.from(`["${time}",1]`).toString('base64url')],
  [
    'an object that looks like a list',
    Buffer.from(`{"0":"${time}","1":"${id}","length":2}`).toString('base64url'),
  ],
  ['a key with U+0000', encodeCursor([time, `${id}\u0000`])],
  ['null', Buffer.from('null').toString('base64url')],
])('a cursor of %s is refused with the name of the field', (_what, cursor) => {
  expect(() => decodeCursor(cursor, Timestamp, Ulid)).toThrow(
    expect.objectContaining({
      code: 'request/validation-failed',
      fields: { cursor: ['must be the next_cursor of an earlier page'] },
    }),
  );
});
