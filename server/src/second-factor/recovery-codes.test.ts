import { expect, test } from 'vitest';
import { newRecoveryCodes } from './recovery-codes.js';

test('a recovery code has two groups of five characters, each as likely as another', () => {
  let drawn = 0;
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => drawn++ % 256));
  const random = { bytes } as Parameters<typeof newRecoveryCodes>[0];
  const codes = Array.from({ length: 32 }, () => newRecoveryCodes(random, Buffer.alloc(20)).codes).flat();
  expect(codes.slice(0, 4)).toEqual(['01234-56789', 'abcde-fghjk', 'mnpqr-stvwx', 'yz012-34567']);
  const counts = new Map<string, number>();
  for (const character of codes.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  counts.delete('-');
  expect([...counts.keys()].toSorted().join('')).toBe('0123456789abcdefghjkmnpqrstvwxyz');
  expect([...counts.values()]).toEqual(Array(32).fill(100));
});
