// Sign-in by emailed code: send, and verify.
import { queryIn, type Tx } from '@foyer/prisma';
import { type Account, findAccountByEmail } from '../accounts/account.js';
import { changeInTurn, turnOf } from '../change.js';
import { mayMailStranger } from '../codes/mail-budget.js';
import { sendCode } from '../codes/send-code.js';
import type { ProvenCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import { finishSignIn } from '../second-factor/finish-sign-in.js';
import { withCodeOfEmail } from '../sessions/code-of-email.js';
import { findKnownSender } from '../sessions/known-client.js';
import { type FirstStep, type SignedIn, startSession } from '../sessions/start-session.js';
import { countSignUp } from '../sign-up/count-sign-up.js';
import { createUserWithSession } from '../sign-up/create-user.js';
import { confirmEmailOwnership } from '../sign-up/email-ownership.js';

/** Returns the flow of the code. An email that cannot sign in gets a decoy. */
export async function sendSignInCode(deps: Deps, call: Call, email: string): Promise<string> {
  const { app, ip } = call;
  const known = await findKnownSender(deps, call, email);
  const decoy = async () => {
    const account = await findAccountByEmail(deps.query, app.id, email);
    const isClosed = account === null && app.settings.sign_up === 'closed';
    const isAllowed = await mayMailStranger(deps, app, {
      isStranger: account === null && !isClosed,
      sender: 'anonymous',
      ip,
    });
    return isClosed || !isAllowed;
  };
  return sendCode(deps, call, { purpose: 'sign_in', subject: email, email, known, decoy });
}

type EmailCodeSignIn = { email: string; code: string; firstName: string | null; lastName: string | null };

export async function signInWithEmailCode(deps: Deps, call: Call, input: EmailCodeSignIn): Promise<SignedIn> {
  const { app, ip } = call;
  const { email, code } = input;
  const guess = { purpose: 'sign_in', email, code, failure: 'user.sign_in_failed' } as const;
  const started = await withCodeOfEmail(deps, call, guess, (proven, account) => {
    if (account) return signInTo(deps, call, account, proven);
    return countSignUp(deps, app, { ip, isProven: true }, () => signUpWith(deps, call, input, proven));
  });
  return finishSignIn(deps, app, started);
}

/** Starts a session. Returns null when the account was changed or deleted since it was read. */
async function signInTo(
  deps: Deps,
  call: Call,
  account: Account,
  code: ProvenCode,
): Promise<FirstStep | null> {
  if (account.disabled) throw new ApiError('auth/user-disabled');
  const { uid } = account;
  const start = async (tx: Tx) => {
    const credentialVersion = await confirmEmailOwnership(tx, deps, call, { account, by: 'sign_in' });
    if (credentialVersion === null) return null;
    const credential = { uid, credentialVersion, newPasswordHash: null };
    const signIn = { method: 'email_code', codeFlow: code.flow, credential } as const;
    const started = await startSession(deps, call, signIn, tx);
    if (started) await code.spend(tx);
    return started;
  };
  return changeInTurn(deps, call, start, turnOf(uid));
}

/** Creates an account and a session. Returns null when an account was created meanwhile. */
async function signUpWith(
  deps: Deps,
  call: Call,
  { email, firstName, lastName }: EmailCodeSignIn,
  code: ProvenCode,
): Promise<FirstStep | null> {
  const user = { email, emailVerified: true, emailProven: true, firstName, lastName, passwordHash: null };
  const signIn = { method: 'email_code', codeFlow: code.flow, user } as const;
  return changeInTurn(deps, call, async (tx) => {
    const started = await createUserWithSession(queryIn(tx), deps, call, signIn);
    if (started) await code.spend(tx);
    return started;
  });
}
