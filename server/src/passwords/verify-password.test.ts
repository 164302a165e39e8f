import { expect, test } from 'vitest';
import type { PasswordHasher } from '../../engines/hashing/index.js';
import type { Account } from '../accounts/account.js';
import { verifyPassword } from './verify-password.js';

/** Finds every password right, as if one were guessed whose hash is the decoy. */
const passwordHasher = { decoyHash: 'decoy', verify: async () => true } as unknown as PasswordHasher;
const caller = { appId: 'app', ip: null };

test.each([
  ['no account', null, null],
  ['an account without a password', { uid: 'ada', passwordHash: null }, null],
  ['an account with a password', { uid: 'ada', passwordHash: 'hash' }, { uid: 'ada', passwordHash: 'hash' }],
])('a password that is right is that of the account: %s', async (_what, account, verified) => {
  expect(await verifyPassword({ passwordHasher }, account as Account | null, 'typed', caller)).toEqual(
    verified,
  );
});
