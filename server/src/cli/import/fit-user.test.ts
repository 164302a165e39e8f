// Which times of an export are stored: those up to the start of the import.
import { expect, test } from 'vitest';
import type { ExportedUser } from './exported-user.js';
import { fitUser } from './fit-user.js';

const now = new Date('2026-03-01T10:00:00.000Z');
const origin = { appId: 'app', service: 'auth0', now };

function fittedAt(time: Date) {
  const user: ExportedUser = {
    ...{ id: '1', email: 'ada@example.com', emailVerified: true, firstName: null, lastName: null },
    ...{ photoUrl: null, createdAt: time, lastSignInAt: time, disabled: false, claims: {} },
    identities: [{ provider: 'provider-a', subject: '1', email: null, linkedAt: time }],
    ...{ hasPhone: false, refusal: null, leftOut: [] },
  };
  const fitted = fitUser(user, origin);
  if (typeof fitted === 'string') throw new Error(fitted);
  const { createdAt, lastSignInAt, identities, leftOut } = fitted;
  return { createdAt, lastSignInAt, linkedAt: identities[0]?.linkedAt, leftOut };
}

test('times up to the start of the import are stored', () => {
  expect(fittedAt(now)).toEqual({ createdAt: now, lastSignInAt: now, linkedAt: now, leftOut: [] });
});

test('times in the future are left out', () => {
  const future = new Date('2026-03-01T10:00:00.001Z');
  const leftOut = ['time of creation'];
  expect(fittedAt(future)).toEqual({ createdAt: now, lastSignInAt: null, linkedAt: null, leftOut });
});
