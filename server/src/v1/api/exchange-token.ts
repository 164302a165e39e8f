// POST /auth/token/from-v1: the v1 token ends in the transaction that starts the session, so that of any number of parallel
// calls one wins.
import type { ErrorCode } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { recordFailure } from '../../audit/record-failure.js';
import { changeInTurn, turnOf } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { retryConflicts } from '../../lib/retry.js';
import type { Call } from '../../model/call.js';
import { finishSignIn } from '../../second-factor/finish-sign-in.js';
import { type SignedIn, startSession } from '../../sessions/start-session.js';
import { verifyV1Token } from '../../v1-tokens/find-v1-token.js';
import { deleteV1Token } from '../../v1-tokens/store.js';

export async function exchangeV1Token(deps: Deps, call: Call, text: string): Promise<SignedIn> {
  const refusal = (code: ErrorCode, uid?: string) => {
    const error = new ApiError(code);
    const failure = { action: 'user.sign_in_failed', method: 'v1_exchange' } as const;
    recordFailure(deps, call, { ...failure, ...(uid !== undefined && { uid }) }, error);
    return error;
  };
  return retryConflicts('the credentials kept changing', async () => {
    // The token has usually ended, too, after a change.
    const proof = await verifyV1Token(deps, call.app, text);
    if (!proof) throw refusal('auth/invalid-token');
    if (proof.disabled) throw refusal('auth/user-disabled', proof.uid);
    const credential = { ...proof, newPasswordHash: null };
    const signIn = { method: 'v1_exchange', authTime: proof.signedInAt, credential } as const;
    const exchange = async (tx: Tx) => {
      // Locks the user's row first: a second exchange waits here, and then finds the token gone.
      const started = await startSession(deps, call, signIn, tx);
      if (started && !(await deleteV1Token(tx, proof))) throw refusal('auth/invalid-token', proof.uid);
      return started;
    };
    const started = await changeInTurn(deps, call, exchange, turnOf(proof.uid));
    return started && finishSignIn(deps, call.app, started);
  });
}
