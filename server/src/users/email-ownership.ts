// A code emailed to the account's address was used to sign in or to reset the password. That confirms who owns the email, and
// on an unverified account it removes what an attacker may have planted before (account pre-hijacking, conventions of the
// API): the attacker signs up with another person's email, links an identity, leaves a session open, and waits.
import { Prisma, type Tx } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { deleteCodesOf } from '../codes/live-code.js';
import type { Deps } from '../deps.js';
import { removeIdentities } from '../identities/remove-identities.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { unlinkDevices } from '../push/devices/register-device.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import type { Account } from './account.js';
import { hasCredentials } from './change-account.js';
import { ownershipEffects } from './email-ownership-rules.js';
import { updateUser, writeUserEvent } from './write-user.js';

export type EmailedCodeUse = {
  by: 'sign_in' | 'reset';
  /** The client has a session of this very account: then nothing is removed. */
  ownSession: boolean;
  language: string | undefined;
  ipAddress: string | null;
};

/**
 * Returns the credential version to start a session with; null, with nothing changed, when the account's credentials or the
 * proof of its email changed since it was read, or it is disabled.
 */
export async function confirmEmailOwnership(
  tx: Tx,
  deps: Deps,
  app: App,
  account: Account,
  use: EmailedCodeUse,
): Promise<number | null> {
  const now = deps.clock.now();
  const ids = { appId: app.id, uid: account.uid };
  const effects = ownershipEffects(account, use, app.settings.unproven_credentials);
  const { removesUnproven, removesPassword } = effects;
  const verified = use.by === 'sign_in';
  const change = {
    emailProven: true,
    emailVerified: verified || undefined,
    passwordHash: removesPassword ? null : undefined,
  };
  const updated = await updateUser(tx, ids, change, {
    now,
    // Only a first confirmation counts as an update of the user.
    updatedAt: Prisma.sql`CASE WHEN u.email_verified OR (u.email_proven AND NOT ${verified}) THEN u.updated_at
      ELSE ${now}::timestamptz END`,
    raisesVersion: removesUnproven,
    // A confirmation meanwhile makes the email proven without raising the version, and nothing may be removed then.
    when: Prisma.sql`${hasCredentials(account)} AND u.email_verified = ${account.emailVerified}
      AND u.email_proven = ${account.emailProven}`,
  });
  if (!updated) return null;

  if (effects.verifies) await writeUserEvent(tx, deps, ids, 'user.email_verified');
  if (!removesUnproven) return account.credentialVersion;

  await endSessionsAfterRaise(tx, deps, ids, 'unproven');
  // A change of email that the attacker asked for would be checked before the owner's own codes.
  await deleteCodesOf(tx, app.id, [account.uid]);
  const identities = await removeIdentities(tx, deps, app, account.uid);
  await unlinkDevices(tx, ids);
  const passwordRemoved = removesPassword && account.passwordHash !== null;
  if (passwordRemoved) {
    const reason = Prisma.sql`jsonb_build_object('reason', 'unproven')`;
    await writeUserEvent(tx, deps, ids, 'user.password_changed', reason);
  }
  await writeAuditEntry(tx, deps, {
    ...ownEntry(ids, use.ipAddress),
    action: 'user.unproven_removed',
    details: { password: passwordRemoved, identities },
  });
  if (passwordRemoved || identities > 0) {
    await queueMail(tx, deps, app, { kind: 'unproven_removed', to: account.email, language: use.language });
  }
  return account.credentialVersion + 1;
}
