// POST /auth/reauthenticate: verifies a credential of the signed-in user again and renews the sign-in time.
import { queryIn } from '@foyer/prisma';
import { ownEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import { knownFlow, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { proofOf } from '../identities/proof.js';
import { verifyIdentity } from '../identities/verify-provider-account.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { LiveSession, SessionMethod } from '../model/session.js';
import { verifyPassword } from '../passwords/verify-password.js';
import { renewSignIn } from '../sessions/renew-sign-in.js';
import { knownDevice } from '../tokens/device-token.js';
import type { AccessTokenAnswer } from '../tokens/token-answer.js';
import { findAccountById } from '../users/account.js';

/** One of password, code and the two providers. */
type Reauthentication = {
  password?: string | undefined;
  code?: string | undefined;
  /** The flow of the code. */
  flow: string | null;
  deviceToken: string | null;
  provider_a?: Parameters<typeof proofOf>[0] | undefined;
  provider_b?: Parameters<typeof proofOf>[0] | undefined;
};

export function reauthenticate(
  deps: Deps,
  app: App,
  { uid, sessionId, email }: LiveSession,
  proof: Reauthentication,
  ipAddress: string | null,
): Promise<AccessTokenAnswer> {
  const ids = { appId: app.id, uid, sessionId };
  const method = methodOf(proof);
  const action = 'user.reauthentication_failed';
  return recordFailures(deps, { ...ownEntry(ids, ipAddress), action, method }, async () => {
    const account = await findAccountById(deps.query, app.id, uid);
    const guessed = knownDevice(deps, app.id, account, proof.deviceToken) ?? { uid };
    const { password, code: guess } = proof;
    if (guess !== undefined) {
      const key = { appId: app.id, purpose: 'sign_in', subject: email } as const;
      const flow = await knownFlow(deps, key, proof.flow);
      const code = await deps.limiter.countFailure(app, guessed, () =>
        verifyCode(deps, key, { code: guess, flow }),
      );
      return code.authorize(() =>
        deps.prisma.$transaction(async (tx) => {
          // Locks the session before the code, as everywhere: two orders would deadlock.
          const renewed = await renewSignIn(queryIn(tx), deps, app, ids, method, ipAddress);
          await code.spend(tx);
          return renewed;
        }),
      );
    }
    await deps.limiter.countFailure(app, guessed, async ({ hasEarlier: hasFailures }) => {
      const token = proof.provider_a ?? proof.provider_b;
      const verified =
        password !== undefined
          ? await verifyPassword(deps, account, password, { appId: app.id, ipAddress, hasFailures })
          : token && (await verifyIdentity(deps, app, uid, proofOf(token)));
      if (!verified) throw new ApiError('auth/invalid-credential');
    });
    return renewSignIn(deps.query, deps, app, ids, method, ipAddress);
  });
}

function methodOf(proof: Reauthentication): SessionMethod {
  if (proof.code !== undefined) return 'email_code';
  if (proof.password !== undefined) return 'password';
  return proof.provider_a !== undefined ? 'provider_a' : 'provider_b';
}
