// Removes the authenticator app and the recovery codes: by the user, by the app's backend or team for a user who lost them, by an
// owner of the service for a member, or because they were enrolled before the email was proven.
import { Prisma, type Tx } from '@foyer/prisma';
import { type Account, lockUser, type UserIds } from '../accounts/account.js';
import { raiseCredentialVersion, updateUser, writeUserEvent } from '../accounts/write-user.js';
import { type ChangeRecord, change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { type Call, sessionIdsOf, type UserCall } from '../model/call.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { lockUserOfCall } from '../sessions/find-session.js';
import { deleteFactor } from './store.js';

type Reason = 'self' | 'admin' | 'unproven';
type EventDeps = Pick<Deps, 'clock' | 'random'>;

/** Returns false if none was enrolled; one that waits for its confirmation goes, too. The user's row is locked. */
export async function removeFactor(
  tx: Tx,
  deps: EventDeps,
  account: UserIds & Pick<Account, 'secondFactor'>,
  reason: Reason,
): Promise<boolean> {
  await deleteFactor(tx, account);
  if (!account.secondFactor) return false;
  await updateUser(tx, account, { secondFactor: false }, { now: deps.clock.now() });
  const more = Prisma.sql`jsonb_build_object('reason', ${reason}::text)`;
  await writeUserEvent(tx, deps, account, { type: 'user.second_factor_removed', more });
  return true;
}

export function removeOwnFactor(deps: Deps, call: UserCall): Promise<void> {
  return change(deps, call, async (tx, record) => {
    const account = await lockUserOfCall(tx, sessionIdsOf(call));
    // Invalidates the tickets of sign-ins in progress: one that enrolled this factor must not enroll another.
    await raiseCredentialVersion(tx, account, deps.clock.now());
    if (!(await removeFactorWithNotice(tx, deps, { app: call.app, record }, { account, reason: 'self' })))
      throw new ApiError('auth/second-factor-not-enrolled');
  });
}

/** For the app's backend or team. Ends all sessions, and invalidates the tickets of sign-ins in progress. */
export function removeFactorOf(deps: Deps, call: Pick<Call, 'app' | 'actor'>, uid: string): Promise<void> {
  const { app } = call;
  return change(deps, call, async (tx, record) => {
    const account = await lockUser(tx, { appId: app.id, uid });
    if (!account) throw new ApiError('auth/user-not-found');
    await endAllSessionsIn(tx, deps, account, 'second_factor_removed');
    if (!(await removeFactorWithNotice(tx, deps, { app, record }, { account, reason: 'admin' })))
      throw new ApiError('auth/second-factor-not-enrolled');
  });
}

/** Also records an audit entry and mails a notice. Returns false if none was enrolled. */
export async function removeFactorWithNotice(
  tx: Tx,
  deps: EventDeps,
  { app, record }: { app: App; record: ChangeRecord },
  { account, reason }: { account: Account; reason: Reason },
): Promise<boolean> {
  if (!(await removeFactor(tx, deps, account, reason))) return false;
  await record.audit({ action: 'user.second_factor_removed', uid: account.uid, details: { reason } });
  await record.mail(app, { kind: 'second_factor_removed', to: account.email });
  return true;
}
