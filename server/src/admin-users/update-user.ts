// PATCH /admin/users/{uid}: changes an account in one transaction, with the effects on sessions, codes and notices.
import type { contract, EventType } from '@foyer/contract';
import { Prisma, type Tx, uniqueViolation } from '@foyer/prisma';
import type { z } from 'zod';
import { type Account, emailInUse, memberIdInUse } from '../accounts/account.js';
import { updateUser as updateUserRow, writeUserEvent } from '../accounts/write-user.js';
import { type ChangeRecord, changeInTurn } from '../change.js';
import { deleteCodesOf } from '../codes/store.js';
import type { Deps } from '../deps.js';
import { userActor } from '../model/actor.js';
import type { Call } from '../model/call.js';
import { profileNames } from '../model/user.js';
import { fromWire } from '../model/wire.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import type { AdminUserRow } from './admin-user.js';
import { hashPassword } from './create-user.js';
import { lockKnownUser } from './known-user.js';
import { findAdminUser } from './store.js';
import { type Consequences, consequencesOf } from './update-rules.js';

export async function updateUser(
  deps: Deps,
  call: Call,
  uid: string,
  patch: z.infer<typeof contract.users.update.body>,
): Promise<AdminUserRow> {
  const { app } = call;
  const { email, password, disabled, member_id: memberId } = patch;
  const passwordHash = password === undefined ? undefined : await hashPassword(deps, app, password);
  const isEmpty = Object.values(patch).every((value) => value === undefined);
  const ids = { appId: app.id, uid };
  const updateIn = async (tx: Tx, record: ChangeRecord) => {
    const account = await lockKnownUser(tx, ids);
    if (!isEmpty) {
      const follows = consequencesOf(account, patch);
      const { emailVerified, emailProven, raisesVersion } = follows;
      const profile = { ...fromWire(patch, profileNames), memberId };
      const newPassword = follows.newPassword ? { passwordHash, passwordFromV1: false } : {};
      const row = { ...profile, email, disabled, emailVerified, emailProven, ...newPassword };
      await updateUserRow(tx, ids, row, { now: deps.clock.now(), raisesVersion });
      await carryOut(tx, deps, account, follows);
      const { changed, disables, enables } = follows;
      // Every call leaves an entry, even one that changes nothing.
      if (changed.length > 0 || !(disables || enables))
        await record.audit({ action: 'user.updated', uid, details: { changed } });
      if (disables) await record.audit({ action: 'user.disabled', uid });
      if (enables) await record.audit({ action: 'user.enabled', uid });
      // The mail goes to the previous email: the change may not be the owner's.
      const reader = { to: account.email, language: account.language ?? undefined };
      if (follows.changesEmail) await record.mail(app, { kind: 'email_changed', ...reader });
      if (follows.newPassword) await record.mail(app, { kind: 'password_changed', ...reader });
    }
    return (await findAdminUser(tx, app.id, uid)) as AdminUserRow;
  };
  try {
    return await changeInTurn(deps, call, updateIn, { row: userActor(uid, null).name });
  } catch (error) {
    const taken = uniqueViolation(error);
    if (taken === 'users_app_id_email_key') throw emailInUse();
    throw taken === 'users_app_id_member_id_key' ? memberIdInUse() : error;
  }
}

/** The effects of the changed row: events, ended sessions and deleted codes. */
async function carryOut(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  account: Account,
  follows: Consequences,
): Promise<void> {
  const write = (type: EventType, more?: Prisma.Sql) =>
    writeUserEvent(tx, deps, account, more ? { type, more } : { type });
  if (follows.updatesProfile) await write('user.updated');
  if (follows.verifies) await write('user.email_verified');
  if (follows.newPassword) {
    await write('user.password_changed', Prisma.sql`jsonb_build_object('reason', 'admin')`);
  }
  if (follows.disables) await write('user.disabled');
  if (follows.enables) await write('user.enabled');
  if (follows.endsSessions) {
    await endSessionsAfterRaise(tx, deps, account, {
      reason: follows.disables ? 'user_disabled' : 'password_change',
    });
  }
  // A code sent before could still change the email or the password.
  if (follows.changesEmail || follows.newPassword)
    await deleteCodesOf(tx, account.appId, [account.uid, account.email]);
}
