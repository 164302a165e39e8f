// Enrolls an authenticator app: the write that both enrollments share, of a signed-in user and of a ticket.
import type { Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { updateUser, writeUserEvent } from '../accounts/write-user.js';
import type { ChangeRecord } from '../change.js';
import type { Deps } from '../deps.js';
import { userActor } from '../model/actor.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { deleteV1TokensOf } from '../v1-tokens/store.js';
import { newRecoveryCodes } from './recovery-codes.js';
import { writeFactor } from './store.js';
import { encryptSecret } from './stored-secret.js';

type Enrollment = {
  /** The email for the notice. */
  account: UserIds & { email: string };
  secret: Uint8Array;
  /** The step of the code that confirmed it, which cannot be used again. */
  step: number;
  replaced: boolean;
};

/** Returns the recovery codes. The user's row is locked. */
export async function enrollFactor(
  tx: Tx,
  deps: Deps,
  { app, ip, record }: { app: App; ip: Call['ip']; record: ChangeRecord },
  { account, secret, step, replaced }: Enrollment,
): Promise<string[]> {
  const { uid, email } = account;
  const now = deps.clock.now();
  const { codes, hashes } = newRecoveryCodes(deps.random, secret);
  await writeFactor(tx, account, {
    secret: encryptSecret(deps.keyRing, account, secret),
    enrolledAt: now,
    lastStep: step,
    recoveryHashes: hashes,
    pendingSecret: null,
    pendingAt: null,
  });
  await updateUser(tx, account, { secondFactor: true }, { now });
  // v1 has no second step, so its tokens would be a way around it.
  await deleteV1TokensOf(tx, account);
  await writeUserEvent(tx, deps, account, { type: 'user.second_factor_enrolled' });
  const actor = userActor(uid, ip);
  await record.audit({ action: 'user.second_factor_enrolled', uid, actor, details: { replaced } });
  await record.mail(app, { kind: 'second_factor_enrolled', to: email });
  return codes;
}
