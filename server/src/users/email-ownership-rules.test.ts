import { expect, test } from 'vitest';
import { ownershipEffects } from './email-ownership-rules.js';

const unproven = { emailVerified: false, emailProven: false, passwordFromV1: false };
const reset = { emailVerified: false, emailProven: true, passwordFromV1: false };
const verified = { emailVerified: true, emailProven: true, passwordFromV1: false };
const fromV1 = { ...unproven, passwordFromV1: true };

const nothing = { verifies: false, removesUnproven: false, removesPassword: false };
const verifies = { ...nothing, verifies: true };
const removes = { ...nothing, removesUnproven: true };
const removesAll = { verifies: true, removesUnproven: true, removesPassword: true };

test.each([
  [unproven, 'sign_in', false, 'remove', removesAll],
  [unproven, 'sign_in', false, 'keep', verifies],
  [unproven, 'sign_in', true, 'remove', verifies],
  [unproven, 'reset', false, 'remove', removes],
  [unproven, 'reset', true, 'remove', nothing],
  [reset, 'sign_in', false, 'remove', verifies],
  [verified, 'sign_in', false, 'remove', nothing],
  [verified, 'reset', false, 'remove', nothing],
  [fromV1, 'sign_in', false, 'remove', { ...removesAll, removesPassword: false }],
  [fromV1, 'sign_in', true, 'remove', verifies],
  [fromV1, 'reset', false, 'remove', removes],
] as const)(
  'account %j, %s by a client with a session of the account: %s, setting: %s',
  (account, by, ownSession, setting, verdict) => {
    expect(ownershipEffects(account, { by, ownSession }, setting)).toEqual(verdict);
  },
);
