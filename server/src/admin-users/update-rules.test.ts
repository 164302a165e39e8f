// The table of update consequences.
import { expect, test } from 'vitest';
import { consequencesOf } from './update-rules.js';

const plain = { email: 'ada@example.com', emailVerified: false, disabled: false };
const verified = { ...plain, emailVerified: true };
const disabled = { ...plain, disabled: true };

const nothing = {
  changesEmail: false,
  emailVerified: undefined,
  emailProven: undefined,
  verifies: false,
  newPassword: false,
  disables: false,
  enables: false,
  endsSessions: false,
  raisesVersion: false,
  updatesProfile: false,
  changed: [] as string[],
};
const otherEmail = { changesEmail: true, raisesVersion: true, updatesProfile: true, changed: ['email'] };

test.each([
  [plain, {}, {}],
  [plain, { first_name: null }, { updatesProfile: true, changed: ['first_name'] }],
  [plain, { email: 'ada@example.com' }, {}],
  [
    verified,
    { email: 'new@example.com' },
    { ...otherEmail, emailVerified: false, emailProven: false, changed: ['email', 'email_verified'] },
  ],
  [
    plain,
    { email: 'new@example.com', email_verified: false },
    { ...otherEmail, emailVerified: false, emailProven: false },
  ],
  [
    plain,
    { email: 'new@example.com', email_verified: true },
    {
      ...otherEmail,
      emailVerified: true,
      emailProven: true,
      verifies: true,
      changed: ['email', 'email_verified'],
    },
  ],
  [
    plain,
    { email_verified: true },
    {
      emailVerified: true,
      emailProven: true,
      verifies: true,
      updatesProfile: true,
      changed: ['email_verified'],
    },
  ],
  [verified, { email_verified: true }, { emailVerified: true, emailProven: true }],
  [
    verified,
    { email_verified: false },
    { emailVerified: false, updatesProfile: true, changed: ['email_verified'] },
  ],
  [
    plain,
    { password: 'a new one' },
    { newPassword: true, endsSessions: true, raisesVersion: true, changed: ['password'] },
  ],
  [plain, { disabled: true }, { disables: true, endsSessions: true, raisesVersion: true }],
  [disabled, { disabled: true }, {}],
  [disabled, { disabled: false }, { enables: true }],
  [plain, { disabled: false }, {}],
])('account %j updated with %j', (account, patch, follows) => {
  expect(consequencesOf(account, patch as { email?: string })).toEqual({ ...nothing, ...follows });
});
