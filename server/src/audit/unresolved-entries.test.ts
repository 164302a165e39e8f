// How many entries wait for the account of their email.
import { expect, test } from 'vitest';
import { type UnresolvedEntry, unresolvedEntries } from './unresolved-entries.js';

function waiting() {
  const entries = unresolvedEntries();
  const add = (email: string) => entries.add({ entry: { appId: 'app', email } } as UnresolvedEntry);
  const addMany = (count: number, emailOf: (place: number) => string) =>
    Array.from({ length: count }, (_, place) => add(emailOf(place)));
  return { add, addMany, removeOldest: entries.removeOldest };
}

test('a hundred entries of an email wait, and a further one only after one was removed', () => {
  const { add, addMany, removeOldest } = waiting();
  expect(new Set(addMany(100, () => 'ada@example.com'))).toEqual(new Set([true]));
  expect([add('ada@example.com'), add('bob@example.com')]).toEqual([false, true]);
  removeOldest(1);
  expect([add('ada@example.com'), add('ada@example.com')]).toEqual([true, false]);
  // All of both emails.
  removeOldest(101);
  expect(new Set(addMany(100, () => 'ada@example.com'))).toEqual(new Set([true]));
  expect(add('ada@example.com')).toBe(false);
});

test('ten thousand entries wait, and a further one only after one was removed', () => {
  const { add, addMany, removeOldest } = waiting();
  expect(new Set(addMany(10_000, (place) => `user-${place}@example.com`))).toEqual(new Set([true]));
  expect(add('ada@example.com')).toBe(false);
  removeOldest(1);
  expect([add('ada@example.com'), add('ada@example.com')]).toEqual([true, false]);
});
