// PATCH /admin/users/{uid}: changes an account in one transaction, with the effects on sessions, codes and notices.
import type { contract, EventType } from '@foyer/contract';
import { Prisma, type Tx, uniqueViolation } from '@foyer/prisma';
import type { z } from 'zod';
import { writeAuditEntry } from '../../audit/entry.js';
import { deleteCodesOf } from '../../codes/live-code.js';
import type { Deps } from '../../deps.js';
import { queueMail } from '../../mail/queue-mail.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import { endSessionsAfterRaise } from '../../sessions/end-sessions.js';
import { type Account, emailInUse, memberIdInUse, type UserIds } from '../account.js';
import { updateUser as updateUserRow, writeUserEvent } from '../write-user.js';
import type { AdminUserRow } from './admin-user.js';
import { hashPassword } from './create-user.js';
import { lockKnownUser } from './known-user.js';
import { findAdminUser } from './store.js';
import { type Consequences, consequencesOf } from './update-rules.js';

export async function updateUser(
  deps: Deps,
  app: App,
  uid: string,
  patch: z.infer<typeof contract.users.update.body>,
  actor: Actor,
): Promise<AdminUserRow> {
  const { email, password, disabled, member_id: memberId } = patch;
  const { first_name: firstName, last_name: lastName, photo_url: photoUrl } = patch;
  const passwordHash = password === undefined ? undefined : await hashPassword(deps, app, password);
  const changed = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : name));
  const ids = { appId: app.id, uid };
  try {
    const user = await deps.prisma.$transaction(async (tx) => {
      const account = await lockKnownUser(tx, ids);
      if (changed.length > 0) {
        const follows = consequencesOf(account, patch);
        const { emailVerified, emailProven, raisesVersion } = follows;
        const profile = { firstName, lastName, photoUrl, memberId };
        const newPassword = follows.newPassword ? { passwordHash, passwordFromV1: false } : {};
        const row = { ...profile, email, disabled, emailVerified, emailProven, ...newPassword };
        await updateUserRow(tx, ids, row, { now: deps.clock.now(), raisesVersion });
        await carryOut(tx, deps, app, account, follows);
        await writeEntries(tx, deps, ids, actor, changed, follows);
      }
      return (await findAdminUser(tx, app.id, uid)) as AdminUserRow;
    });
    deps.queue.wake();
    return user;
  } catch (error) {
    const taken = uniqueViolation(error);
    if (taken === 'users_app_id_email_key') throw emailInUse();
    throw taken === 'users_app_id_member_id_key' ? memberIdInUse() : error;
  }
}

async function writeEntries(
  tx: Tx,
  deps: Deps,
  { appId, uid }: UserIds,
  actor: Actor,
  changed: string[],
  { disables, enables }: Consequences,
): Promise<void> {
  const entry = { appId, actor, target: `user:${uid}`, uid };
  await writeAuditEntry(tx, deps, { ...entry, action: 'user.updated', details: { changed } });
  if (disables) await writeAuditEntry(tx, deps, { ...entry, action: 'user.disabled' });
  if (enables) await writeAuditEntry(tx, deps, { ...entry, action: 'user.enabled' });
}

/** The effects of the changed row: events, ended sessions, deleted codes and notices. */
async function carryOut(
  tx: Tx,
  deps: Deps,
  app: App,
  account: Account,
  follows: Consequences,
): Promise<void> {
  const ids = { appId: app.id, uid: account.uid };
  const write = (type: EventType, more?: Prisma.Sql) => writeUserEvent(tx, deps, ids, type, more);
  if (follows.updatesProfile) await write('user.updated');
  if (follows.verifies) await write('user.email_verified');
  if (follows.newPassword) {
    await write('user.password_changed', Prisma.sql`jsonb_build_object('reason', 'admin')`);
  }
  if (follows.disables) await write('user.disabled');
  if (follows.enables) await write('user.enabled');
  if (follows.endsSessions) {
    await endSessionsAfterRaise(tx, deps, ids, follows.disables ? 'user_disabled' : 'password_change');
  }
  // A code sent before could still change the email or the password.
  if (follows.changesEmail || follows.newPassword)
    await deleteCodesOf(tx, app.id, [account.uid, account.email]);
  // To the previous email: the change may not be the owner's.
  const notice = { to: account.email, language: undefined };
  if (follows.changesEmail) await queueMail(tx, deps, app, { kind: 'email_changed', ...notice });
  if (follows.newPassword) await queueMail(tx, deps, app, { kind: 'password_changed', ...notice });
}
