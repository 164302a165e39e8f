import { expect, test } from 'vitest';
import { judgeProof } from './prove-email-rules.js';

const unproven = { emailVerified: false, emailProven: false };
const reset = { emailVerified: false, emailProven: true };
const verified = { emailVerified: true, emailProven: true };

test.each([
  [unproven, 'sign_in', false, 'remove', { verifies: true, removesUnproven: true }],
  [unproven, 'sign_in', false, 'keep', { verifies: true, removesUnproven: false }],
  [unproven, 'sign_in', true, 'remove', { verifies: true, removesUnproven: false }],
  [unproven, 'reset', false, 'remove', { verifies: false, removesUnproven: true }],
  [unproven, 'reset', true, 'remove', { verifies: false, removesUnproven: false }],
  [reset, 'sign_in', false, 'remove', { verifies: true, removesUnproven: false }],
  [verified, 'sign_in', false, 'remove', { verifies: false, removesUnproven: false }],
  [verified, 'reset', false, 'remove', { verifies: false, removesUnproven: false }],
] as const)(
  'account %j, %s by a client with a session of it: %s, setting %s',
  (account, by, ownSession, setting, verdict) => {
    expect(judgeProof(account, { by, ownSession }, setting)).toEqual(verdict);
  },
);
