// POST /auth/reauthenticate: verifies a credential of the signed-in user again and renews the sign-in time.
import { queryIn } from '@foyer/prisma';
import { ownEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import { knownFlow, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import type { proofOf } from '../identities/proof.js';
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
export type Reauthentication = {
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
  session: LiveSession,
  proof: Reauthentication,
  ipAddress: string | null,
): Promise<AccessTokenAnswer> {
  const own = ownEntry({ appId: app.id, uid: session.uid }, ipAddress);
  const method = methodOf(proof);
  const failure = { ...own, action: 'user.reauthentication_failed', method } as const;
  return recordFailures(deps, failure, () => verifyAndRenew(deps, app, session, proof, method, ipAddress));
}

function methodOf(proof: Reauthentication): SessionMethod {
  if (proof.code !== undefined) return 'email_code';
  if (proof.password !== undefined) return 'password';
  return proof.provider_a !== undefined ? 'provider_a' : 'provider_b';
}

async function verifyAndRenew(
  deps: Deps,
  app: App,
  { uid, sessionId, email }: LiveSession,
  { password, code: guess, flow, deviceToken, provider_a, provider_b }: Reauthentication,
  method: SessionMethod,
  ipAddress: string | null,
): Promise<AccessTokenAnswer> {
  const ids = { appId: app.id, uid, sessionId };
  const account = await findAccountById(deps.query, app.id, uid);
  const guessed = knownDevice(deps, app.id, account, deviceToken) ?? { uid };
  if (guess !== undefined) {
    const key = { appId: app.id, purpose: 'sign_in', subject: email } as const;
    const ownFlow = await knownFlow(deps, key, flow);
    const code = await deps.limiter.countFailure(app, guessed, () =>
      verifyCode(deps, key, { code: guess, flow: ownFlow }),
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
    const caller = { appId: app.id, ipAddress, hasFailures };
    const token = provider_a ?? provider_b;
    const provider = provider_a ? 'provider-a' : 'provider-b';
    const verified =
      password !== undefined
        ? await verifyPassword(deps, account, password, caller)
        : token && (await verifyIdentity(deps, app, uid, provider, token));
    if (!verified) throw new ApiError('auth/invalid-credential');
  });
  return renewSignIn(deps.query, deps, app, ids, method, ipAddress);
}
