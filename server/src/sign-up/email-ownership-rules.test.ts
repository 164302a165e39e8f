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
  [unproven, 'sign_in', false, removesAll],
  [unproven, 'sign_in', true, verifies],
  [unproven, 'reset', false, removes],
  [unproven, 'reset', true, nothing],
  [reset, 'sign_in', false, verifies],
  [verified, 'sign_in', false, nothing],
  [verified, 'reset', false, nothing],
  [fromV1, 'sign_in', false, { ...removesAll, removesPassword: false }],
  [fromV1, 'sign_in', true, verifies],
  [fromV1, 'reset', false, removes],
] as const)(
  'account %j, %s by a client with a session of the account: %s',
  (account, by, ownSession, verdict) => {
    expect(ownershipEffects(account, { by, ownSession })).toEqual(verdict);
  },
);
