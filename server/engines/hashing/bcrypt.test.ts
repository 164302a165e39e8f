// Password hashes imported from v1: they accept what v1 accepted, and their cost delays no other client.
import { hashSync } from 'bcryptjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cheapPasswordHasher } from '../../test/harness.js';
import { forBackend } from '../../test/held-hasher.js';
import { until } from '../../test/until.js';
import { phpHashes } from '../../test/v1-export.js';
import { hashedForm, isImportableHash } from './hash-forms.js';
import type { HasherOptions } from './password-hasher.js';

/** Closed after the test. */
function hasher(options: HasherOptions = {}) {
  const made = cheapPasswordHasher({ ...options });
  onTestFinished(() => made.close());
  return forBackend(made);
}

// The vectors of crypt_blowfish, PHP's own bcrypt, and hashes that it made.
const vectors: [password: string, hash: string][] = [
  ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  [
    '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
    '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
  ],
  ['rasmuslerdorf', '$2a$07$usesomesillystringfore2uDLvp1Ii2e./U9C8sBjqp8I90dH6hi'],
  ...Object.entries(phpHashes),
];

test.each(vectors)('%j matches its hash, and similar passwords do not', async (password, hash) => {
  const one = forBackend(cheapPasswordHasher());
  expect(isImportableHash(hash)).toBe(true);
  expect(one.isOutdated(hash)).toBe(true);
  expect(await one.verify(hash, password)).toBe(true);
  expect(await one.verify(hash, `.${password}`)).toBe(false);
  expect(await one.verify(hash, '')).toBe(false);
});

test('$2y$, $2b$ and $2a$ are equivalent', async () => {
  const one = forBackend(cheapPasswordHasher());
  for (const kind of ['$2y$', '$2b$', '$2a$']) {
    const hash = hashSync('grüße', 4).replace('$2b$', kind);
    expect([await one.verify(hash, 'grüße'), await one.verify(hash, 'grusse')]).toEqual([true, false]);
  }
});

test('only the first 72 bytes count, as in v1', async () => {
  const one = forBackend(cheapPasswordHasher());
  const hash = hashSync('p'.repeat(72), 4);
  expect(await one.verify(hash, 'p'.repeat(72))).toBe(true);
  expect(await one.verify(hash, `${'p'.repeat(72)}more`)).toBe(true);
  expect(await one.verify(hash, 'p'.repeat(71))).toBe(false);
});

test('a password with U+0000 matches no hash of v1, even if bcrypt itself accepts it', async () => {
  const one = forBackend(cheapPasswordHasher());
  const hash = hashSync('abc', 4);
  for (const guess of ['abc\0', 'abc\0abc', 'abc\0other']) expect(await one.verify(hash, guess)).toBe(false);
});

test('a mismatch also costs the work for an unknown email, and is not refused between the two', async () => {
  const one = hasher({ threads: 1, maxWaiting: 1 });
  const hash = hashSync('x', 4);
  const workOf = async (verified: Promise<boolean>) => {
    const before = one.done;
    return [await verified, one.done - before];
  };
  expect(await workOf(one.verify(hash, 'x'))).toEqual([true, 1]);
  expect(await workOf(one.verify(one.decoyHash, 'y'))).toEqual([false, 1]);
  expect(await workOf(one.verify(hash, 'y'))).toEqual([false, 2]);
  // One runs and the other fills the queue.
  expect(await Promise.all([one.verify(hash, 'y'), one.verify(hash, 'z')])).toEqual([false, false]);
});

test('a v1 hash uses the password as typed, all others the normalised form', () => {
  expect(hashedForm('$2y$10$x', 'e\u0301')).toBe('e\u0301');
  expect(hashedForm('$argon2id$v=19$x', 'e\u0301')).toBe('é');
});

describe('the queue', () => {
  /** A tenth of a second's work. */
  const slow = hashSync('x', 4).replace('$04$', '$10$');

  test('reserves a thread for other work, however much slow work is queued', async () => {
    const one = hasher();
    const order: string[] = [];
    const note = (what: string) => () => order.push(what);
    // Slow enough for a busy machine, which may delay the other thread.
    const slower = slow.replace('$10$', '$12$');
    const slowOnes = [1, 2, 3].map(() => one.verify(slower, 'y').then(note('slow')));
    const quick = [1, 2, 3, 4].map(() => one.hash('x').then(note('quick')));
    await Promise.all([...slowOnes, ...quick]);
    // At most one thread does slow work: quick jobs overtake all of it but the first.
    expect(order.slice(-2)).toEqual(['slow', 'slow']);
  });

  test('refuses slow work beyond its own limit, and still accepts other work', async () => {
    const one = hasher({ maxRoundsWaiting: 2 ** 10 });
    const accepted = [one.verify(slow, 'y'), one.verify(slow, 'y')];
    const full = { code: 'request/unavailable', headers: { 'Retry-After': '2' } };
    await expect(one.verify(slow, 'y')).rejects.toMatchObject(full);
    expect(await one.hash('x')).toContain('$argon2id$');
    expect(await Promise.all(accepted)).toEqual([false, false]);
    expect(await one.verify(slow, 'y')).toBe(false);
  });

  test.each([
    [1, 'one', 4],
    [3, 'two', 8],
  ])(
    'with threads: %i, runs %s of twelve jobs of the highest cost, queues half of the share of all apps and refuses the rest',
    async (threads, _, waiting) => {
      const one = hasher({ threads });
      const rest = 12 - Math.ceil(threads / 2) - waiting;
      const slowest = slow.replace('$10$', '$14$');
      const refused: unknown[] = [];
      const jobs = Array.from({ length: 12 }, () =>
        one.verify(slowest, 'y').catch((error) => refused.push(error)),
      );
      await until(() => refused.length >= rest);
      expect(refused).toEqual(Array(rest).fill(expect.objectContaining({ code: 'request/unavailable' })));
      expect(one.waiting).toBe(waiting);
      await one.close();
      await Promise.all(jobs);
    },
  );

  test('alternates between slow and other work on a single thread', async () => {
    const one = hasher({ threads: 1 });
    const order: string[] = [];
    const note = (what: string) => () => order.push(what);
    const quick = hashSync('x', 4);
    await Promise.all([
      ...[1, 2, 3].map(() => one.verify(quick, 'x').then(note('slow'))),
      ...[1, 2, 3].map(() => one.hash('x').then(note('quick'))),
    ]);
    expect(order).toEqual(['slow', 'quick', 'slow', 'quick', 'slow', 'quick']);
  });

  test('does all work on a single thread', async () => {
    const one = hasher({ threads: 1 });
    const quick = hashSync('x', 4);
    expect(await Promise.all([one.verify(quick, 'x'), one.hash('x'), one.verify(quick, 'y')])).toEqual([
      true,
      expect.stringContaining('$argon2id$'),
      false,
    ]);
  });
});
