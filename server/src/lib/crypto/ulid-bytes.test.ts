import { randomBytes } from 'node:crypto';
import { ulidToUUID, uuidToULID } from 'ulid';
import { expect, test } from 'vitest';
import { ulidBytes, ulidText } from './ulid-bytes.js';

const inLibrary = (bytes: Buffer) =>
  uuidToULID(bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'));

test('16 bytes encode to the same ULID as in the library, and decode again', () => {
  const edges = [Buffer.alloc(16), Buffer.alloc(16, 0xff), Buffer.from(`80${'00'.repeat(14)}01`, 'hex')];
  for (const bytes of [...edges, ...Array.from({ length: 1_000 }, () => randomBytes(16))]) {
    const text = ulidText(bytes);
    expect(text).toBe(inLibrary(bytes));
    expect(ulidBytes(text)).toEqual(bytes);
    expect(ulidToUUID(text).replaceAll('-', '').toLowerCase()).toBe(bytes.toString('hex'));
  }
});

test.each([
  '',
  '01JC4Q7M0RZ9X2V5T8W3Y6K1N',
  '01JC4Q7M0RZ9X2V5T8W3Y6K1NBB',
  '01JC4Q7M0RZ9X2V5T8W3Y6K1NU',
  '01jc4q7m0rz9x2v5t8w3y6k1nb',
  '80000000000000000000000000',
])('%j is not a ULID', (text) => {
  expect(() => ulidBytes(text)).toThrow('not a ULID');
});
