// Sets a password hash on an account, with its event, and raises the credential version: the first step of ending sessions.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import { type Account, insertUserEvent, setPasswordRow } from './store.js';

/** False, with nothing changed, when the account is no longer as it was looked at, or is disabled. */
export async function setPassword(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  app: App,
  account: Pick<Account, 'uid' | 'credentialVersion'>,
  change: { passwordHash: string; emailProven: boolean },
  more: Prisma.Sql,
): Promise<boolean> {
  const now = deps.clock.now();
  const ids = { appId: app.id, uid: account.uid };
  if (!(await setPasswordRow(tx, ids, account.credentialVersion, change, now))) return false;
  await insertUserEvent(tx, { ...ids, eventId: deps.random.ulid(now) }, 'user.password_changed', now, more);
  return true;
}
