// POST /auth/token/from-v1: the v1 token ends in the transaction that starts the session, so that of any number of parallel
// calls one wins. Specification "Versioning".
import type { ErrorCode } from '@foyer/contract';
import { anonymous, recordFailure } from '../../audit/record-failure.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { retryConflicts } from '../../lib/retry.js';
import type { App } from '../../model/app.js';
import type { Client } from '../../model/session.js';
import { buildSession } from '../../sessions/new-session.js';
import { countSignIn, type SignedIn, startSession } from '../../sessions/start-session.js';
import { endV1Token } from '../tokens/end-v1-tokens.js';
import { verifyV1Token } from '../tokens/find-v1-token.js';

export async function exchangeV1Token(deps: Deps, app: App, client: Client, text: string): Promise<SignedIn> {
  const refusal = (code: ErrorCode, uid?: string) => {
    const failure = {
      appId: app.id,
      actor: anonymous(client.ipAddress),
      action: 'user.sign_in_failed',
      method: 'v1_exchange',
    } as const;
    recordFailure(deps, { ...failure, ...(uid !== undefined && { uid }) }, code);
    return new ApiError(code);
  };
  return retryConflicts('the credentials kept changing', async () => {
    // After a change the token has usually ended too.
    const proof = await verifyV1Token(deps, app, text);
    if (!proof) throw refusal('auth/invalid-token');
    if (proof.disabled) throw refusal('auth/user-disabled', proof.uid);
    const session = buildSession(deps, app, client, proof.uid, 'v1_exchange', proof.signedInAt);
    const signedIn = await deps.prisma.$transaction(async (tx) => {
      // Locks the user's row first: a second exchange waits here, and then finds the token gone.
      const started = await startSession(deps, app, session, { ...proof, newPasswordHash: null }, tx);
      if (started && !(await endV1Token(tx, proof))) throw refusal('auth/invalid-token', proof.uid);
      return started;
    });
    return signedIn && countSignIn(deps, app, 'v1_exchange', signedIn);
  });
}
