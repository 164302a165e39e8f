// A code mailed to the account's address was used to sign in or to reset the password. That proves whose the address is,
// and on an unverified account it ends what a squatter may have planted before (account pre-hijacking, conventions of the
// API): somebody signs up with another's email, links an identity, keeps a session, and waits.
import { Prisma } from '@foyer/prisma';
import { ownEntry, writeAuditEntry } from '../audit/entry.js';
import { deleteCodesOf } from '../codes/live-code.js';
import type { Deps } from '../deps.js';
import { removeIdentities } from '../identities/remove-identities.js';
import { queueMail } from '../mail/queue-mail.js';
import type { App } from '../model/app.js';
import { unlinkDevices } from '../push/devices/register-device.js';
import { endSessionsAfterRaise } from '../sessions/end-sessions.js';
import { judgeProof } from './prove-email-rules.js';
import { type Account, insertUserEvent, proveEmailRow } from './store.js';

export type EmailProof = {
  by: 'sign_in' | 'reset';
  /** The client holds a session of this very account: then everything stays. */
  ownSession: boolean;
  language: string | undefined;
  ipAddress: string | null;
};

/**
 * Returns the credential version to start a session with; null, with nothing changed, when the account is no longer as
 * it was looked at.
 */
export async function proveEmail(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  account: Account,
  proof: EmailProof,
): Promise<number | null> {
  const now = deps.clock.now();
  const ids = { appId: app.id, uid: account.uid };
  const verdict = judgeProof(account, proof, app.settings.unproven_credentials);
  const { removesUnproven, removesPassword: removePassword } = verdict;
  const change = { verified: proof.by === 'sign_in', raise: removesUnproven, removePassword };
  if (!(await proveEmailRow(tx, ids, account.credentialVersion, change, now))) return null;

  if (verdict.verifies) {
    await insertUserEvent(tx, { ...ids, eventId: deps.random.ulid(now) }, 'user.email_verified', now);
  }
  if (!removesUnproven) return account.credentialVersion;

  await endSessionsAfterRaise(tx, deps, ids, 'unproven');
  // A change of email that the squatter asked for would be judged before the owner's own codes.
  await deleteCodesOf(tx, app.id, [account.uid]);
  const identities = await removeIdentities(tx, deps, app, account.uid);
  await unlinkDevices(tx, ids);
  const passwordRemoved = removePassword && account.passwordHash !== null;
  if (passwordRemoved) {
    const reason = Prisma.sql`jsonb_build_object('reason', 'unproven')`;
    await insertUserEvent(
      tx,
      { ...ids, eventId: deps.random.ulid(now) },
      'user.password_changed',
      now,
      reason,
    );
  }
  await writeAuditEntry(tx, deps, {
    ...ownEntry(ids, proof.ipAddress),
    action: 'user.unproven_removed',
    details: { password: passwordRemoved, identities },
  });
  if (passwordRemoved || identities > 0) {
    await queueMail(tx, deps, app, { kind: 'unproven_removed', to: account.email, language: proof.language });
  }
  return account.credentialVersion + 1;
}
