// Nonces for provider sign-in: secure randomness and the SHA-256 for the provider.
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FoyerError } from '../src/errors.js';
import { createNonce } from '../src/features/nonce.js';
import { sha256 } from '../src/features/sha256.js';

afterEach(() => vi.unstubAllGlobals());

describe('SHA-256', () => {
  test('equals node:crypto for every length up to four blocks, and for a million characters', () => {
    const lengths = Array.from({ length: 257 }, (_, length) => length);
    for (const length of [...lengths, 1_000_000]) {
      const text = 'The quick brown fox. '.repeat(length / 21 + 1).slice(0, length);
      expect(sha256(text), `${length}`).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });

  test('does not depend on the last bit of an engine’s cube root', () => {
    const digest = sha256('abc');
    const { cbrt } = Math;
    for (const error of [-1e-14, 1e-14]) {
      vi.stubGlobal('Math', Object.create(Math, { cbrt: { value: (x: number) => cbrt(x) * (1 + error) } }));
      expect(Math.cbrt(8)).not.toBe(2);
      expect(sha256('abc')).toBe(digest);
    }
  });
});

describe('a nonce', () => {
  test('is 32 random bytes in hex, with its SHA-256', async () => {
    const { raw, sha256: hashed } = await createNonce();
    expect(raw).toMatch(/^[0-9a-f]{64}$/);
    expect(hashed).toBe(createHash('sha256').update(raw).digest('hex'));
  });

  test('is unique, and independent of Math.random', async () => {
    const random = vi.spyOn(Math, 'random');
    const nonces = await Promise.all(Array.from({ length: 50 }, () => createNonce()));
    expect(new Set(nonces.map(({ raw }) => raw)).size).toBe(50);
    expect(random).not.toHaveBeenCalled();
    random.mockRestore();
  });

  test('requires no platform crypto when randomBytes is given, sync or async', async () => {
    vi.stubGlobal('crypto', undefined);
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => index);
    const raw = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
    expect(await createNonce({ randomBytes: () => bytes })).toMatchObject({ raw });
    expect(await createNonce({ randomBytes: async () => bytes })).toMatchObject({ raw });
  });

  test('is rejected without a secure random source', async () => {
    vi.stubGlobal('crypto', undefined);
    const refused = expect.objectContaining({ code: 'client/invalid-argument' });
    await expect(createNonce()).rejects.toThrow(refused);
    await expect(createNonce()).rejects.toBeInstanceOf(FoyerError);
    for (const bytes of [[], new Uint8Array(31), new Uint8Array(33), Array(32).fill(1_000)]) {
      await expect(createNonce({ randomBytes: () => bytes as Uint8Array })).rejects.toThrow(refused);
    }
  });
});
