// A code that was emailed to the account was used to sign in or to reset the password. That confirms who owns the email, and on
// an unverified account it removes what an attacker may have planted before (account pre-hijacking): the attacker signs up with
// another person's email, links an identity, leaves a session open, and waits.
import { Prisma, type Tx } from '@foyer/prisma';
import type { Account } from '../accounts/account.js';
import { hasCredentials } from '../accounts/change-account.js';
import { updateUser, writeUserEvent } from '../accounts/write-user.js';
import { recordOf } from '../change.js';
import { deleteCodesOf } from '../codes/store.js';
import type { Deps } from '../deps.js';
import { removeIdentities } from '../identities/remove-identities.js';
import { userActor } from '../model/actor.js';
import type { Call } from '../model/call.js';
import { removePasskeys } from '../passkeys/remove-passkeys.js';
import { unlinkDevices } from '../push/devices/store.js';
import { removeFactor } from '../second-factor/remove-factor.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import { ownershipEffects } from './email-ownership-rules.js';

/** The account, and what the code was used for. */
export type EmailedCodeUse = { account: Account; by: 'sign_in' | 'reset' };

/**
 * Returns the credential version to start a session with. Returns null, with nothing changed, when the account's credentials or
 * the proof of its email changed since it was read, or it is disabled.
 */
export async function confirmEmailOwnership(
  tx: Tx,
  deps: Deps,
  call: Call,
  { account, by }: EmailedCodeUse,
): Promise<number | null> {
  const now = deps.clock.now();
  const { app, ip } = call;
  const { uid } = account;
  // Nothing is removed if the client has a session of this very account.
  const effects = ownershipEffects(account, { by, ownSession: call.uid === uid });
  const { removesUnproven, removesPassword } = effects;
  const verified = by === 'sign_in';
  const change = {
    emailProven: true,
    emailVerified: verified || undefined,
    passwordHash: removesPassword ? null : undefined,
  };
  const updated = await updateUser(tx, account, change, {
    now,
    // A first confirmation counts as an update of the user, a later one does not.
    updatedAt: Prisma.sql`CASE WHEN u.email_verified OR (u.email_proven AND NOT ${verified}) THEN u.updated_at
      ELSE ${now}::timestamptz END`,
    raisesVersion: removesUnproven,
    // A confirmation meanwhile makes the email proven without raising the version, and nothing may be removed then.
    when: Prisma.sql`${hasCredentials(account)} AND u.email_verified = ${account.emailVerified}
      AND u.email_proven = ${account.emailProven}`,
  });
  if (!updated) return null;

  if (effects.verifies) await writeUserEvent(tx, deps, account, { type: 'user.email_verified' });
  if (!removesUnproven) return account.credentialVersion;

  await endSessionsAfterRaise(tx, deps, account, { reason: 'unproven' });
  // A change of email that the attacker asked for would be checked before the owner's own codes.
  await deleteCodesOf(tx, app.id, [uid]);
  const identities = await removeIdentities(tx, deps, account);
  const { length: passkeys } = await removePasskeys(tx, deps, account, { reason: 'unproven' });
  const secondFactor = await removeFactor(tx, deps, account, 'unproven');
  await unlinkDevices(tx, account);
  const passwordRemoved = removesPassword && account.passwordHash !== null;
  if (passwordRemoved) {
    const more = Prisma.sql`jsonb_build_object('reason', 'unproven')`;
    await writeUserEvent(tx, deps, account, { type: 'user.password_changed', more });
  }
  const record = recordOf(tx, deps, call);
  const details = { password: passwordRemoved, identities, passkeys, second_factor: secondFactor };
  await record.audit({ action: 'user.unproven_removed', uid, actor: userActor(uid, ip), details });
  if (passwordRemoved || identities > 0 || passkeys > 0 || secondFactor)
    await record.mail(app, { kind: 'unproven_removed', to: account.email });
  return account.credentialVersion + 1;
}
