// When an account is deleted its entries stay, with the uid alone: neither address nor details.
import type { Prisma } from '@foyer/prisma';
import { clearAddressesOf } from './store.js';

export function forgetUserInAudit(
  tx: Prisma.TransactionClient,
  ids: { appId: string; userId: string },
): Promise<void> {
  return clearAddressesOf(tx, ids);
}
