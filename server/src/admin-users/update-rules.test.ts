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
};
const otherEmail = { changesEmail: true, raisesVersion: true, updatesProfile: true };

test.each([
  [plain, {}, {}],
  [plain, { first_name: null }, { updatesProfile: true }],
  [plain, { email: 'ada@example.com' }, {}],
  [verified, { email: 'new@example.com' }, { ...otherEmail, emailVerified: false, emailProven: false }],
  [
    plain,
    { email: 'new@example.com', email_verified: true },
    { ...otherEmail, emailVerified: true, emailProven: true, verifies: true },
  ],
  [
    plain,
    { email_verified: true },
    { emailVerified: true, emailProven: true, verifies: true, updatesProfile: true },
  ],
  [verified, { email_verified: true }, { emailVerified: true, emailProven: true }],
  [verified, { email_verified: false }, { emailVerified: false, updatesProfile: true }],
  [plain, { password: 'a new one' }, { newPassword: true, endsSessions: true, raisesVersion: true }],
  [plain, { disabled: true }, { disables: true, endsSessions: true, raisesVersion: true }],
  [disabled, { disabled: true }, {}],
  [disabled, { disabled: false }, { enables: true }],
  [plain, { disabled: false }, {}],
])('account %j updated with %j', (account, patch, follows) => {
  expect(consequencesOf(account, patch as { email?: string })).toEqual({ ...nothing, ...follows });
});
