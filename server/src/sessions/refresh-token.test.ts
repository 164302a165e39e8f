import { limits } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { systemRandom } from '../lib/crypto/random.js';
import {
  encodeRefreshToken,
  hashOfSecret,
  laterRefreshToken,
  parseRefreshToken,
  type RefreshToken,
} from './refresh-token.js';

const random = systemRandom();
const ring = keyRing(['a-secret-key-for-tests-alone-and-long-enough'], random);
const otherRing = keyRing(['another-secret-key-for-tests-and-long-enough'], random);
const appId = random.ulid(new Date());

function newToken(changes: Partial<RefreshToken> = {}): RefreshToken {
  return {
    keyId: ring.currentKeyId,
    sessionId: random.ulid(new Date()),
    generation: 7,
    secret: random.bytes(32),
    ...changes,
  };
}

describe('the encoding', () => {
  test('parsing returns the encoded token', () => {
    for (const token of [
      newToken(),
      newToken({ generation: 0 }),
      newToken({ generation: 2 ** 31 - 1 }),
      newToken({ sessionId: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }),
      newToken({ sessionId: '00000000000000000000000000' }),
    ]) {
      expect(parseRefreshToken(ring, appId, encodeRefreshToken(ring, appId, token))).toEqual(token);
    }
  });

  test('a token is rt_ and 70 bytes in base64url: version, key id, session id, generation, secret, tag', () => {
    const token = newToken();
    const text = encodeRefreshToken(ring, appId, token);
    expect(text).toMatch(/^rt_[A-Za-z0-9_-]{94}$/);
    const bytes = Buffer.from(text.slice(3), 'base64url');
    expect([bytes[0], bytes[1], bytes.readUInt32BE(18)]).toEqual([1, token.keyId, 7]);
    expect(bytes.subarray(22, 54)).toEqual(token.secret);
  });

  // Sessions live for years: no version may read or derive a token differently.
  test('a token that an earlier version issued is read, and the next one is the same in every version', () => {
    const app = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
    const token = newToken({ sessionId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', secret: Buffer.alloc(32, 7) });
    const [issued, next] = [
      'rt_AWcBVj46tdPWdkxh77mTAr1bAAAABwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHQtfTYwIjWl2LVIdgcTTnvA',
      'rt_AWcBVj46tdPWdkxh77mTAr1bAAAACChyBcbOWjxWGIL9feFAtri1GpzlScd3768wCxbiyLsZbGhGj1j4nDQrdsD-CDxsxA',
    ];
    expect(parseRefreshToken(ring, app, issued)).toEqual(token);
    expect(encodeRefreshToken(ring, app, laterRefreshToken(ring, token, 1))).toBe(next);
  });

  test('a token of another app, or under another encryption key with the same id, is not ours', () => {
    const text = encodeRefreshToken(ring, appId, newToken());
    expect(parseRefreshToken(ring, random.ulid(new Date()), text)).toBe('not-ours');
    const forger = { ...otherRing, derive: () => random.bytes(32) };
    expect(parseRefreshToken(ring, appId, encodeRefreshToken(forger, appId, newToken()))).toBe('not-ours');
  });

  test('a token with an unknown key has its own verdict', () => {
    const keyId = otherRing.currentKeyId;
    const text = encodeRefreshToken(otherRing, appId, newToken({ keyId }));
    expect(parseRefreshToken(ring, appId, text)).toBe('unknown-key');
  });

  test('a validly tagged token with a generation beyond the column is not ours', () => {
    for (const generation of [2 ** 31, 2 ** 32 - 1]) {
      const text = encodeRefreshToken(ring, appId, newToken({ generation }));
      expect(parseRefreshToken(ring, appId, text)).toBe('not-ours');
    }
  });

  test('every bit is verified', () => {
    const good = Buffer.from(encodeRefreshToken(ring, appId, newToken()).slice(3), 'base64url');
    const keyIdAt = 1;
    for (let place = 0; place < good.length * 8; place += 1) {
      const bytes = Buffer.from(good);
      const at = place >> 3;
      bytes[at] = (bytes[at] as number) ^ (1 << (place & 7));
      const verdict = parseRefreshToken(ring, appId, `rt_${bytes.toString('base64url')}`);
      expect(verdict, `bit ${place}`).toBe(at === keyIdAt ? 'unknown-key' : 'not-ours');
    }
  });

  test.each<[string, (text: string) => string]>([
    ['without its prefix', (text) => text.slice(3)],
    ['with another prefix', (text) => `RT_${text.slice(3)}`],
    ['with the prefix twice', (text) => `rt_${text}`],
    ['with padding', (text) => `${text}==`],
    ['with a line end', (text) => `${text}\n`],
    ['with spaces around', (text) => ` ${text} `],
    ['with a byte more', (text) => `${text}A`],
    ['with its spare bits set', (text) => text.slice(0, -1) + nextInAlphabet(text.slice(-1))],
    ['in the other alphabet', (text) => text.replace(/(?<=^rt_.*)_/g, '/')],
    ['in hexadecimal', (text) => `rt_${Buffer.from(text.slice(3), 'base64url').toString('hex')}`],
    ['twice', (text) => text + text.slice(3)],
    ['empty', () => ''],
    ['with nothing behind the prefix', () => 'rt_'],
    ['with a foreign character inside', (text) => `${text.slice(0, 20)}é${text.slice(21)}`],
  ])('a token %s is not ours', (_how, change) => {
    // A secret of all ones encodes to underscores, which the other alphabet encodes differently.
    const text = encodeRefreshToken(ring, appId, newToken({ secret: Buffer.alloc(32, 0xff) }));
    expect(change(text)).not.toBe(text);
    expect(parseRefreshToken(ring, appId, change(text))).toBe('not-ours');
  });

  test('a token truncated anywhere is not ours', () => {
    const text = encodeRefreshToken(ring, appId, newToken());
    for (let length = 0; length < text.length; length += 1) {
      expect(parseRefreshToken(ring, appId, text.slice(0, length))).toBe('not-ours');
    }
  });
});

describe('the chain', () => {
  test('two single steps equal one double step', () => {
    const token = newToken();
    const twice = laterRefreshToken(ring, laterRefreshToken(ring, token, 1), 1);
    expect(twice).toEqual(laterRefreshToken(ring, token, 2));
    expect(twice.generation).toBe(token.generation + 2);
    expect(hashOfSecret(twice)).not.toEqual(hashOfSecret(token));
  });

  test('the chain depends on the session, the generation, the secret and the key', () => {
    const token = newToken();
    const next = laterRefreshToken(ring, token, 1).secret;
    expect(laterRefreshToken(ring, { ...token, sessionId: random.ulid(new Date()) }, 1).secret).not.toEqual(
      next,
    );
    expect(laterRefreshToken(ring, { ...token, generation: 8 }, 1).secret).not.toEqual(next);
    expect(laterRefreshToken(ring, { ...token, secret: random.bytes(32) }, 1).secret).not.toEqual(next);
    const keyId = otherRing.currentKeyId;
    expect(laterRefreshToken(otherRing, { ...token, keyId }, 1).secret).not.toEqual(next);
  });

  test('derivation is limited to the distance that a valid token can have', () => {
    const most = limits.refreshesPerReuseWindow + 1;
    expect(laterRefreshToken(ring, newToken(), most).generation).toBe(7 + most);
    expect(() => laterRefreshToken(ring, newToken(), most + 1)).toThrow('never derived this far');
  });
});

/** The same character but for its lowest bit, which decoding ignores in the last place. */
function nextInAlphabet(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) ^ 1] as string;
}
