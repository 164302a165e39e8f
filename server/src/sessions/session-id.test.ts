import { decodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { sha256 } from '../lib/crypto/digest.js';
import { systemRandom } from '../lib/crypto/random.js';
import { ulidBytes } from '../lib/crypto/ulid-bytes.js';
import { newSessionId } from './session-id.js';

const random = systemRandom();
const now = new Date('2026-03-01T12:00:00.123Z');

test('a session id contains its time and 16 bits of its user', () => {
  for (let i = 0; i < 100; i += 1) {
    const uid = random.ulid(now);
    const id = newSessionId(random, uid, now);
    expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(decodeTime(id)).toBe(now.getTime());
    expect(ulidBytes(id).subarray(6, 8)).toEqual(sha256(uid).subarray(0, 2));
  }
});

test('the session ids of a user are ordered by creation, also within a millisecond', () => {
  const ids = Array.from({ length: 100 }, () => newSessionId(random, 'one-user', now));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(100);
});
