// Stores a key as earlier versions did: as it was entered, unread.
import { writeAppSecret } from '../src/apps/app-secrets.js';
import type { Deps } from '../src/deps.js';

/** Replaces a key that is set. */
export function storeUnread(deps: Deps, appId: string, name: string, key: string): Promise<void> {
  return writeAppSecret(deps.prisma, deps, { appId, name }, key);
}
