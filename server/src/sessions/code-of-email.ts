// Verifies the codes that are requested by email address alone: sign-in and password reset.
import { type Account, findAccountByEmail } from '../accounts/account.js';
import { anonymous, type Failure } from '../audit/record-failure.js';
import { type ProvenCode, withVerifiedCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { retryConflicts } from '../lib/retry.js';
import type { Call } from '../model/call.js';
import { hasVerifiedEmail, knownClient } from './known-client.js';

export type CodeOfEmail = {
  purpose: 'sign_in' | 'reset';
  email: string;
  code: string;
  failure: Failure['action'];
};

/**
 * Verifies a code and runs the operation with the account of the email, null for none. The operation returns null when the
 * account changed since it was read; then it is read again.
 */
export async function withCodeOfEmail<T>(
  deps: Deps,
  call: Call,
  { purpose, email, code, failure }: CodeOfEmail,
  operation: (code: ProvenCode, account: Account | null) => Promise<T | null>,
): Promise<T> {
  const find = () => findAccountByEmail(deps.query, call.app.id, email);
  let account = await find();
  const known = knownClient(deps, call, account);
  const by = { email, uid: account?.uid ?? null, known, isVerified: hasVerifiedEmail(account) };
  const proof = { purpose, subject: email, code, by, failure: { action: failure, email } };
  const { app, ip, codeFlow } = call;
  // Whoever guesses, with or without a session, is a stranger to the account until the code is verified.
  const guesser = { app, ip, codeFlow, actor: anonymous(ip) };
  return withVerifiedCode(deps, guesser, proof, (proven) =>
    retryConflicts('the account kept changing', async () => {
      const done = await operation(proven, account);
      if (done === null) account = await find();
      return done;
    }),
  );
}
