import { createHash } from 'node:crypto';
import fs, { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { keyRing, storedEncryptionKey } from './key-ring.js';

const random = systemRandom();
const first = 'a-secret-key-for-tests-alone-and-long-enough';
const second = 'another-secret-key-for-tests-and-long-enough';
const idOf = (key: string) => createHash('sha256').update(key).digest()[0];

describe('ENCRYPTION_KEYS', () => {
  test('the first key is current, and the id of each is the first byte of its SHA-256', () => {
    const ring = keyRing([second, first], random);
    expect(ring.currentKeyId).toBe(idOf(second));
    expect([ring.has(idOf(first) as number), ring.has(idOf(second) as number)]).toEqual([true, true]);
    expect(keyRing([first], random).has(idOf(second) as number)).toBe(false);
  });

  test.each<[string, string[], string]>([
    ['no key at all', [], 'ENCRYPTION_KEYS is empty'],
    ['a key of 31 bytes', ['x'.repeat(31)], 'each key of ENCRYPTION_KEYS must have at least 32 bytes'],
    [
      'a short key beside a long one',
      [first, 'short'],
      'each key of ENCRYPTION_KEYS must have at least 32 bytes',
    ],
    ['the same key twice', [first, first], 'two keys of ENCRYPTION_KEYS have the same id'],
    ['two keys of one id', twoOfOneId(), 'two keys of ENCRYPTION_KEYS have the same id'],
  ])('%s is refused with a message that contains no key', (_what, keys, sentence) => {
    expect(() => keyRing(keys, random)).toThrow(sentence);
    try {
      keyRing(keys, random);
    } catch (error) {
      for (const key of keys) expect(String(error)).not.toContain(key);
    }
  });

  test('a key of 32 bytes is enough, counted in bytes and not in characters', () => {
    expect(keyRing(['x'.repeat(32)], random).currentKeyId).toBeTypeOf('number');
    expect(keyRing(['é'.repeat(16)], random).currentKeyId).toBeTypeOf('number');
  });
});

describe('derived keys', () => {
  const ring = keyRing([first, second], random);

  test('have 32 bytes, are deterministic, and differ by purpose and by key', () => {
    const key = ring.derive(ring.currentKeyId, 'one purpose');
    expect(key).toHaveLength(32);
    expect(keyRing([first], random).derive(ring.currentKeyId, 'one purpose')).toEqual(key);
    expect(ring.derive(ring.currentKeyId, 'another purpose')).not.toEqual(key);
    expect(ring.derive(idOf(second) as number, 'one purpose')).not.toEqual(key);
    expect(key.includes(Buffer.from(first))).toBe(false);
  });

  test('remain correct beyond the capacity of the cache', () => {
    const before = ring.derive(ring.currentKeyId, 'app 0');
    for (let app = 1; app <= 2_500; app += 1) ring.derive(ring.currentKeyId, `app ${app}`);
    expect(ring.derive(ring.currentKeyId, 'app 0')).toEqual(before);
  });

  test('of an unknown key are refused', () => {
    const absent = (ring.currentKeyId + 1) % 256 === idOf(second) ? 2 : 1;
    expect(() => ring.derive((ring.currentKeyId + absent) % 256, 'any')).toThrow(
      'ENCRYPTION_KEYS has no key',
    );
  });
});

describe('encryption', () => {
  const plain = Buffer.from('a private key');

  test('round-trips, and never gives the same ciphertext twice', () => {
    const ring = keyRing([first], random);
    const one = ring.encrypt(plain, 'signing-key a');
    expect(ring.decrypt(one, 'signing-key a')).toEqual(plain);
    expect(ring.encrypt(plain, 'signing-key a')).not.toEqual(one);
    expect(one.includes(plain)).toBe(false);
    expect(ring.keyIdOf(one)).toBe(ring.currentKeyId);
    expect(ring.decrypt(ring.encrypt(Buffer.alloc(0), 'empty'), 'empty')).toHaveLength(0);
  });

  test('of an earlier version is decrypted, and new values have its form', () => {
    const ring = keyRing([first], { ...random, bytes: (length) => Buffer.from([...Array(length).keys()]) });
    const stored = 'AWcAAQIDBAUGBwgJCgtWzzvkhTiM4D50gVdyFg2tXSYBS7wBk7PyHD1YYQ==';
    expect(ring.decrypt(Buffer.from(stored, 'base64'), 'signing-key a')).toEqual(plain);
    expect(ring.encrypt(plain, 'signing-key a').toString('base64')).toBe(stored);
  });

  test('with an old key is decrypted while that key is listed, and new values use the first key', () => {
    const old = keyRing([first], random).encrypt(plain, 'context');
    const both = keyRing([second, first], random);
    expect(both.decrypt(old, 'context')).toEqual(plain);
    expect(both.keyIdOf(both.encrypt(plain, 'context'))).toBe(idOf(second));
    expect(() => keyRing([second], random).decrypt(old, 'context')).toThrow('ENCRYPTION_KEYS has no key');
  });

  test('fails to decrypt in another context, with any bit changed, or truncated', () => {
    const ring = keyRing([first], random);
    const good = ring.encrypt(plain, 'signing-key a');
    expect(() => ring.decrypt(good, 'signing-key b')).toThrow();
    for (let bit = 0; bit < good.length * 8; bit += 1) {
      const bytes = Buffer.from(good);
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => ring.decrypt(bytes, 'signing-key a'), `bit ${bit}`).toThrow();
    }
    for (let length = 0; length < good.length; length += 1) {
      expect(() => ring.decrypt(good.subarray(0, length), 'signing-key a')).toThrow();
    }
  });
});

test('a derived key is kept, and derived again after a thousand others', () => {
  const ring = keyRing([first], random);
  const key = ring.derive(ring.currentKeyId, 'one purpose');
  for (let other = 1; other < 1_000; other += 1) ring.derive(ring.currentKeyId, `other ${other}`);
  expect(ring.derive(ring.currentKeyId, 'one purpose')).toBe(key);
  ring.derive(ring.currentKeyId, 'other 1000');
  expect(ring.derive(ring.currentKeyId, 'one purpose')).not.toBe(key);
});

test('the name of the stored key is synced after the file has it, and no file is left open', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const { fsyncSync, openSync, closeSync } = fs;
  const steps: string[] = [];
  const open = new Set<number>();
  Object.assign(fs, {
    openSync: (...given: Parameters<typeof openSync>) => {
      const file = openSync(...given);
      if (given[0] === dataDir) open.add(file);
      return file;
    },
    fsyncSync: (file: number) => {
      if (open.has(file)) steps.push(...readdirSync(dataDir));
      fsyncSync(file);
    },
    closeSync: (file: number) => {
      open.delete(file);
      closeSync(file);
    },
  });
  syncBuiltinESMExports();
  try {
    storedEncryptionKey(dataDir, random);
  } finally {
    Object.assign(fs, { fsyncSync, openSync, closeSync });
    syncBuiltinESMExports();
  }
  expect(steps).toEqual(['secret-key']);
  expect([...open]).toEqual([]);
});

test('the stored key is whole or not there: after a start on a full disk the next one makes a key', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  onFullDisk(() => expect(() => storedEncryptionKey(dataDir, random)).toThrow('ENOSPC'));
  const key = storedEncryptionKey(dataDir, random);
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(storedEncryptionKey(dataDir, random)).toBe(key);
  expect(readdirSync(dataDir)).toEqual(['secret-key']);
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
});

/** A full disk has room for the name of a file, and for none of its bytes. */
function onFullDisk(work: () => void): void {
  const { writeFileSync } = fs;
  const set = (write: typeof writeFileSync) => {
    fs.writeFileSync = write;
    syncBuiltinESMExports();
  };
  set((file, _data, options) => {
    writeFileSync(file, '', options);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  try {
    work();
  } finally {
    set(writeFileSync);
  }
}

/** Two different keys with the same first byte of SHA-256. */
function twoOfOneId(): string[] {
  for (let count = 0; ; count += 1) {
    const key = `one more secret key for tests alone ${count}`;
    if (idOf(key) === idOf(first)) return [first, key];
  }
}
