// Locks the account of a signed-in call for a change that only a live session may ask for. The guard has looked, but since
// then the call may have waited for a hash, a mail or a lock, while its session was ended to keep somebody out.
import type { Prisma } from '@foyer/prisma';
import { demandLiveSession } from '../sessions/find-session.js';
import { type Account, lockAccountById } from './store.js';

/** Null when the account is gone; `auth/invalid-token` when the session has ended. */
export async function lockAccountOfCall(
  tx: Prisma.TransactionClient,
  ids: { appId: string; userId: string; sessionId: string },
): Promise<Account | null> {
  const account = await lockAccountById(tx, ids.appId, ids.userId);
  if (account) await demandLiveSession(tx, ids);
  return account;
}
