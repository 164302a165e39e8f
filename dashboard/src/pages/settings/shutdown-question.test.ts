// Which shutdown dates of v1 are asked about, and with what numbers.
import { expect, test } from 'vitest';
import { shutdownQuestion } from './shutdown-question.ts';

const now = Date.parse('2026-03-01T10:00:00Z');
const days = (count: number) => new Date(now + count * 86_400_000);
const none = { users: 0, tokens: 0 };
const some = { users: 2, tokens: 1 };
const idle = { users: 0, tokens: 3 };
const unknown = { users: undefined, tokens: undefined };

test.each([
  ['a month away, with users', 30, some, 'Set the shutdown date?', false, '2 users used v1'],
  ['a month away, not counted', 30, unknown, 'Set the shutdown date?', false, 'is not known'],
  ['in six days, with users', 6, some, 'Set the shutdown date?', true, 'for 2 users, 1 token.'],
  ['in six days, with tokens only', 6, idle, 'Set the shutdown date?', true, 'for 0 users, 3 tokens.'],
  ['in six days, without users', 6, none, 'Set the shutdown date?', false, '0 users used v1'],
  ['now, without users', 0, none, 'Shut down v1 now?', false, 'rejected at once'],
  ['past, with users', -1, some, 'Shut down v1 now?', true, 'stops now for 2 users, 1 token.'],
  ['past, not counted', -1, unknown, 'Shut down v1 now?', true, 'an unknown number of users'],
] as const)('a date %s is asked about with its numbers', (_, away, left, title, typed, said) => {
  const question = shutdownQuestion(days(away), now, left);
  expect(question).toMatchObject({ title, typed });
  expect(question?.body).toContain(said);
});

test.each([none, idle])('a date that is a week away is stored without a question for %j', (left) => {
  expect(shutdownQuestion(days(7), now, left)).toBeNull();
});
