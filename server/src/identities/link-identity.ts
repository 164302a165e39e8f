// Links a provider account to a user: by the user, or at a sign-in by the verified email. A mail notifies the user of the new
// sign-in method.
import type { Identity } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { lockUser, type UserIds } from '../accounts/account.js';
import { recordIdentityChange } from '../accounts/write-user.js';
import { recordRefused } from '../audit/record-failure.js';
import { changeInTurn, recordOf } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { userActor } from '../model/actor.js';
import { type Call, sessionIdsOf, type UserCall } from '../model/call.js';
import type { PersonNames } from '../model/user.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { serializeIdentity } from './list-identities.js';
import type { ProviderProof } from './proof.js';
import { spendProof } from './spend-proof.js';
import { hasIdentity, insertIdentity, type NewIdentity } from './store.js';
import type { ProviderAccount } from './verify-id-token.js';
import { withVerifiedProof } from './verify-provider-account.js';

/** POST /me/identities/{provider}. */
export function linkIdentity(deps: Deps, call: UserCall, proof: ProviderProof): Promise<Identity> {
  const ids = sessionIdsOf(call);
  return withVerifiedProof(
    deps,
    call,
    { proof, failure: 'identity.link_failed' },
    async (account, failure) => {
      const identity = newIdentity(deps, ids, account);
      await recordRefused(deps, call, failure, () =>
        changeInTurn(deps, call, async (tx) => {
          const user = await lockUserOfCall(tx, ids);
          if (await hasIdentity(tx, ids, account.provider))
            throw new ApiError('auth/provider-already-linked');
          if (!(await insertIdentity(tx, identity))) throw new ApiError('auth/credential-already-in-use');
          // The provider's refresh token is stored in the row of the identity.
          await spendProof(tx, deps, call.app, account);
          await recordLink(tx, deps, call, { identity, to: user.email });
        }),
      );
      return serializeIdentity(identity);
    },
  );
}

/** The identity of an account that this transaction creates. */
export async function linkToNewAccount(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  ids: UserIds,
  account: ProviderAccount,
): Promise<boolean> {
  return insertIdentity(tx, newIdentity(deps, ids, account));
}

/**
 * Links to the account whose verified email is the provider's verified email, and sets the names of one that has none. Does
 * nothing when the account has changed since it was read, or either side is linked already.
 */
export async function linkByVerifiedEmail(
  tx: Tx,
  deps: Deps,
  call: Call,
  { uid, account, names }: { uid: string; account: ProviderAccount; names: PersonNames },
): Promise<void> {
  const ids = { appId: call.app.id, uid };
  const user = await lockUser(tx, ids);
  if (!user?.emailVerified || user.disabled || user.email !== account.email) return;
  const identity = newIdentity(deps, ids, account);
  if (await insertIdentity(tx, identity))
    await recordLink(tx, deps, call, { identity, to: user.email, names });
}

async function recordLink(
  tx: Tx,
  deps: Deps,
  call: Call,
  { identity, to, names }: { identity: NewIdentity; to: string; names?: PersonNames },
): Promise<void> {
  const { uid, provider } = identity;
  await recordIdentityChange(tx, deps, identity, names);
  const record = recordOf(tx, deps, call);
  const actor = userActor(uid, call.ip);
  await record.audit({ action: 'identity.linked', uid, actor, details: { provider } });
  await record.mail(call.app, { kind: 'provider_linked', to, provider });
}

function newIdentity(
  deps: Pick<Deps, 'clock'>,
  { appId, uid }: UserIds,
  account: ProviderAccount,
): NewIdentity {
  const { provider, subject, email, clientId } = account;
  return { appId, provider, subject, uid, email, clientId, linkedAt: deps.clock.now() };
}
