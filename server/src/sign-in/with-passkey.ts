// Sign-in with a passkey: one statement looks it up, another, in a turn, starts the session and uses up the challenge.
import type { PasskeyAssertion } from '@foyer/contract';
import { recordFailure } from '../audit/record-failure.js';
import { turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { Call } from '../model/call.js';
import { RefusedPasskey, recordPasskeyRefusals } from '../passkeys/refused-passkey.js';
import { usePasskeyOf } from '../passkeys/store.js';
import { refusingReplay, verifyAssertion } from '../passkeys/verify-assertion.js';
import { finishSignIn } from '../second-factor/finish-sign-in.js';
import { type FirstStep, type SignedIn, startSession } from '../sessions/start-session.js';

const failure = { action: 'user.sign_in_failed', method: 'passkey' } as const;

export async function signInWithPasskey(
  deps: Deps,
  call: Call,
  assertion: PasskeyAssertion,
): Promise<SignedIn> {
  // The passkey is looked up again if the account changed meanwhile.
  const attempt = () => signInOnce(deps, call, assertion);
  try {
    const started = await recordPasskeyRefusals(deps, call, () =>
      retryConflicts('the account kept changing', attempt),
    );
    return await finishSignIn(deps, call.app, started);
  } catch (error) {
    if (error instanceof RefusedPasskey) recordFailure(deps, call, { ...failure, ...error.about }, error);
    throw error;
  }
}

/** Returns null when the account or the passkey changed since it was read, and nothing was done. */
async function signInOnce(deps: Deps, call: Call, assertion: PasskeyAssertion): Promise<FirstStep | null> {
  const verified = await verifyAssertion(deps, call.app, assertion);
  const { owner, amr, use } = verified;
  const { uid, credentialVersion } = owner;
  if (owner.disabled) {
    const error = new ApiError('auth/user-disabled');
    recordFailure(deps, call, { ...failure, uid }, error);
    throw error;
  }
  const credential = { uid, credentialVersion, newPasswordHash: null };
  const spend = (signedInUser: Parameters<typeof usePasskeyOf>[1]) => usePasskeyOf(use, signedInUser);
  const signIn = { method: 'passkey', amr, credential, spend, hasTurn: true } as const;
  // No hash slows down the sign-ins of one user, which all update the user's row.
  const start = () => deps.turns.write(call, () => startSession(deps, call, signIn), turnOf(uid));
  return refusingReplay(uid, start);
}
