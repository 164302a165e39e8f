import { expect, test } from 'vitest';
import { newEmail } from '../../test/code-scenario.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { createUserWithoutSession, newMemberId, type UserDraft } from './create-user.js';

const service = shared(() => testService());

test.each([
  [0, '1000000000'],
  [1, '1000000001'],
  [8_999_999_999, '9999999999'],
  [9_000_000_000, '1000000000'],
  [2 ** 48 - 1, '9976710655'],
])('of the number %i, drawn by chance, the member id is %s', (drawn, memberId) => {
  const bytes = (count: number) => {
    const made = Buffer.alloc(count);
    made.writeUIntBE(drawn, 0, 6);
    return made;
  };
  expect(newMemberId({ random: { bytes } as Parameters<typeof newMemberId>[0]['random'] })).toBe(memberId);
});

test('an email gets one account without a session, and no second one however close the race', async () => {
  const names = { firstName: null, lastName: null, photoUrl: null };
  const user: UserDraft = {
    email: newEmail(),
    emailVerified: false,
    emailProven: false,
    passwordHash: null,
    ...names,
  };
  const call = { app: service.app.app, ip: null };
  const create = () =>
    createUserWithoutSession(service.deps.query, service.deps, call, { user, details: {} });
  expect(await create()).toMatchObject({ email: user.email, memberId: expect.stringMatching(/^\d{10}$/) });
  expect(await create()).toBeNull();
});
