// Whose backend calls: the secret key of the app, by its hash. Conventions of the API, "Admin".
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/digest.js';
import { findSecretKey, noteSecretKeyUse, type SecretKeyRow } from './store.js';

export type { SecretKeyRow };

/** The last use is for people to look at: to the hour is enough, and saves a write on every call. */
const notedEveryMilliseconds = 60 * 60 * 1_000;

export async function secretKeyOf(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
  secretKey: string,
): Promise<SecretKeyRow | null> {
  if (!secretKey.startsWith('sk_')) return null;
  const now = deps.clock.now();
  const row = await findSecretKey(deps.prisma, appId, sha256(secretKey), now);
  if (row && now.getTime() - (row.lastUsedAt?.getTime() ?? 0) >= notedEveryMilliseconds) {
    await noteSecretKeyUse(deps.prisma, appId, row.id, now);
  }
  return row;
}
