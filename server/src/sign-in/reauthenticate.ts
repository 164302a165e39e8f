// POST /auth/reauthenticate: verifies a credential of the signed-in user again and renews the sign-in time.
import { queryIn } from '@foyer/prisma';
import { ownEntry } from '../audit/entry.js';
import { recordFailures } from '../audit/record-failure.js';
import { verifyCode } from '../codes/verify-code.js';
import type { Deps, HashCaller } from '../deps.js';
import { verifyIdentity } from '../identities/verify-provider-account.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { verifyPassword } from '../passwords/verify-password.js';
import { type RenewedAnswer, renewSignIn } from '../sessions/renew-sign-in.js';
import { knownDevice } from '../tokens/device-token.js';
import { type Account, findAccountById } from '../users/account.js';

export type Reauthentication = {
  password?: string | undefined;
  code?: string | undefined;
  /** The flow of the code. */
  flow: string | null;
  deviceToken: string | null;
  provider_a?: { id_token: string; nonce: string } | undefined;
  provider_b?: { identity_token: string; authorization_code: string; nonce: string } | undefined;
};

export function reauthenticate(
  deps: Deps,
  app: App,
  session: { uid: string; email: string; sessionId: string },
  proof: Reauthentication,
  ipAddress: string | null,
): Promise<RenewedAnswer> {
  const own = ownEntry({ appId: app.id, uid: session.uid }, ipAddress);
  const failure = { ...own, action: 'user.reauthentication_failed', method: methodIn(proof) } as const;
  return recordFailures(deps, failure, () => verifyAgain(deps, app, session, proof, ipAddress));
}

function methodIn(proof: Reauthentication): string {
  if (proof.code !== undefined) return 'email_code';
  if (proof.password !== undefined) return 'password';
  return proof.provider_a !== undefined ? 'provider_a' : 'provider_b';
}

async function verifyAgain(
  deps: Deps,
  app: App,
  session: { uid: string; email: string; sessionId: string },
  proof: Reauthentication,
  ipAddress: string | null,
): Promise<RenewedAnswer> {
  const { uid } = session;
  const ids = { appId: app.id, uid, sessionId: session.sessionId };
  const { code: sixDigits, flow } = proof;
  const account = await findAccountById(deps.query, app.id, uid);
  const guessed = knownDevice(deps, app.id, account, proof.deviceToken) ?? { uid };
  if (sixDigits !== undefined) {
    const key = { appId: app.id, purpose: 'sign_in', subject: session.email } as const;
    const code = await deps.limiter.countFailure(app, guessed, () =>
      verifyCode(deps, key, { code: sixDigits, flow }),
    );
    return deps.prisma.$transaction(async (tx) => {
      // Locks the session before the code, as everywhere: two orders would deadlock.
      const renewed = await renewSignIn(queryIn(tx), deps, app, ids, 'email_code', ipAddress);
      await code.spend(tx);
      return renewed;
    });
  }
  const method = await deps.limiter.countFailure(app, guessed, ({ hasEarlier }) =>
    verifyOther(deps, app, uid, account, proof, { appId: app.id, ipAddress, hasFailures: hasEarlier }),
  );
  return renewSignIn(deps.query, deps, app, ids, method, ipAddress);
}

async function verifyOther(
  deps: Deps,
  app: App,
  uid: string,
  account: Account | null,
  proof: Reauthentication,
  caller: HashCaller,
) {
  if (proof.password !== undefined) {
    const verified = await verifyPassword(deps, account, proof.password, caller);
    if (!verified) throw new ApiError('auth/invalid-credential');
    return 'password';
  }
  const [provider, token] =
    proof.provider_a !== undefined
      ? (['provider-a', proof.provider_a] as const)
      : (['provider-b', proof.provider_b] as const);
  if (!token || !(await verifyIdentity(deps, app, uid, provider, token)))
    throw new ApiError('auth/invalid-credential');
  return provider === 'provider-a' ? 'provider_a' : 'provider_b';
}
