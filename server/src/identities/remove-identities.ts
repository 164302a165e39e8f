// Removes every identity of an account, where a mailed code has shown that somebody else may have linked them.
import type { Prisma } from '@foyer/prisma';
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { queueProviderRevocations } from './revoke-provider-tokens.js';
import { deleteIdentities } from './store.js';

/** Returns how many there were. The provider's tokens are revoked too. */
export async function removeIdentities(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  uid: string,
): Promise<number> {
  await queueProviderRevocations(tx, deps, app, uid);
  return (await deleteIdentities(tx, { appId: app.id, userId: uid })).length;
}
