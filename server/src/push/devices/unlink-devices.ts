// Takes every device off a user: links that were made before the account's email was proven may be a squatter's.
import type { Prisma } from '@foyer/prisma';
import { unlinkDevices } from './store.js';

/** Returns how many there were. */
export function removeDeviceLinks(
  tx: Prisma.TransactionClient,
  ids: { appId: string; uid: string },
): Promise<number> {
  return unlinkDevices(tx, ids);
}
