// Removes passkeys: one by the user or for the app, all of a member who lost the device, or all that were added before the email
// was confirmed.
import type { AcceptedPasskeys } from '@foyer/contract';
import { Prisma, type Tx } from '@foyer/prisma';
import { type Account, lockUser, type UserIds } from '../accounts/account.js';
import { raiseCredentialVersion, writeUserEvent } from '../accounts/write-user.js';
import { type ChangeRecord, change } from '../change.js';
import type { Deps } from '../deps.js';
import { countIdentities } from '../identities/store.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { type Call, sessionIdsOf, type UserCall } from '../model/call.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { relyingPartyOf } from './relying-party.js';
import { deletePasskeyRows, listPasskeyRows } from './store.js';
import { userHandleOf } from './user-handle.js';

/** DELETE /me/passkeys/{id}; returns what remains, so that the browser can forget the passkey. */
export async function removePasskey(deps: Deps, call: UserCall, id: string): Promise<AcceptedPasskeys> {
  const ids = sessionIdsOf(call);
  const left = await change(deps, call, async (tx, record) => {
    const account = await lockUserOfCall(tx, ids);
    await removeOne(tx, deps, { app: call.app, record }, { account, id, reason: 'self' });
    const rest = await listPasskeyRows(tx, ids);
    if (rest.length === 0) await requireOtherWayIn(tx, account);
    return rest;
  });
  return {
    rp_id: relyingPartyOf(deps, call.app)?.rp_id ?? null,
    user_id: userHandleOf(ids),
    credential_ids: left.map(({ credentialId }) => Buffer.from(credentialId).toString('base64url')),
  };
}

/** DELETE /admin/users/{uid}/passkeys/{id}. */
export function removePasskeyOf(deps: Deps, call: Call, uid: string, id: string): Promise<void> {
  return change(deps, call, async (tx, record) => {
    const account = await lockUser(tx, { appId: call.app.id, uid });
    if (!account) throw new ApiError('auth/user-not-found');
    await removeOne(tx, deps, { app: call.app, record }, { account, id, reason: 'admin' });
  });
}

type Removal = { account: Account; id?: string; reason: 'self' | 'admin' };
type Recorded = { app: App; record: ChangeRecord };

async function removeOne(
  tx: Tx,
  deps: Deps,
  recorded: Recorded,
  removal: Removal & { id: string },
): Promise<void> {
  // A sign-in in progress by this passkey is invalidated, too: it is verified again, and the passkey is no longer found.
  await raiseCredentialVersion(tx, removal.account, deps.clock.now());
  if (!(await removePasskeysWithNotice(tx, deps, recorded, removal)))
    throw new ApiError('auth/passkey-not-found');
}

/** Also records an audit entry for each and mails one notice. Returns false if there was none. */
export async function removePasskeysWithNotice(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  { app, record }: Recorded,
  { account, ...which }: Removal,
): Promise<boolean> {
  const removed = await removePasskeys(tx, deps, account, which);
  if (removed.length === 0) return false;
  for (const passkey of removed)
    await record.audit({ action: 'passkey.removed', uid: account.uid, details: { passkey } });
  await record.mail(app, { kind: 'passkey_removed', to: account.email });
  return true;
}

/** Removes one passkey, or every one, with their events, once the credential version is raised; returns their ids. */
export async function removePasskeys(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: UserIds,
  { id, reason }: { id?: string; reason: 'self' | 'admin' | 'unproven' },
): Promise<string[]> {
  const removed = await deletePasskeyRows(tx, ids, id);
  for (const each of removed) {
    const more = Prisma.sql`jsonb_build_object('passkey', jsonb_build_object('id', ${each}::text), 'reason', ${reason}::text)`;
    await writeUserEvent(tx, deps, ids, { type: 'user.passkey_removed', more });
  }
  return removed;
}

/** An emailed code opens an account whose email is verified; one whose email is not needs another way in. */
async function requireOtherWayIn(tx: Tx, account: Account): Promise<void> {
  if (account.emailVerified || account.passwordHash !== null) return;
  if ((await countIdentities(tx, account)) === 0) throw new ApiError('auth/last-sign-in-method');
}
