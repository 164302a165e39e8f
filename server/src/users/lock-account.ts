// Locks the account of a signed-in call for a change that only a live session may ask for. The guard has looked, but since
// then the call may have waited for a hash, a mail or a lock, while its session was ended to keep somebody out.
import type { Prisma } from '@foyer/prisma';
import type { LiveV1Token } from '../model/v1-token.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { requireLiveV1Token } from '../v1/tokens/find-v1-token.js';
import { type Account, lockAccountById } from './store.js';

/** Null when the account is gone; `auth/invalid-token` when the session has ended. */
export async function lockAccountOfCall(
  tx: Prisma.TransactionClient,
  ids: { appId: string; uid: string; sessionId: string },
): Promise<Account | null> {
  const account = await lockAccountById(tx, ids.appId, ids.uid);
  if (account) await requireLiveSession(tx, ids);
  return account;
}

/** The same for a call of v1, whose token stands for a session. */
export async function lockAccountOfV1Call(
  tx: Prisma.TransactionClient,
  token: LiveV1Token,
): Promise<Account | null> {
  const account = await lockAccountById(tx, token.appId, token.uid);
  if (account) await requireLiveV1Token(tx, token);
  return account;
}

/** For the app's own backend, which may change any account at any time. Null when there is none. */
export function lockAccount(
  tx: Prisma.TransactionClient,
  ids: { appId: string; uid: string },
): Promise<Account | null> {
  return lockAccountById(tx, ids.appId, ids.uid);
}
