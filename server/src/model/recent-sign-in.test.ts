import { expect, test } from 'vitest';
import type { App } from './app.js';
import { signedInRecently } from './recent-sign-in.js';

const now = new Date('2026-01-01T12:00:00Z');
const app = { settings: { recent_sign_in_minutes: 5, second_factor: 'off' } } as unknown as App;
const minutesAgo = (minutes: number) => ({
  authTime: new Date(now.getTime() - minutes * 60_000),
  amr: ['pwd'],
  secondFactor: false,
});

test.each([
  ['just now', minutesAgo(0), true],
  ['five minutes ago', minutesAgo(5), true],
  ['a moment before', minutesAgo(5.001), false],
  ['six minutes ahead of the clock', minutesAgo(-6), false],
  ['without a session', null, false],
])('a sign-in %s is recent: %o, %s', (_when, session, isRecent) => {
  const caller = { app, session: session as Parameters<typeof signedInRecently>[1]['session'] };
  expect(signedInRecently({ clock: { now: () => now } }, caller)).toBe(isRecent);
});
