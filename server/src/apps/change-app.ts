// foyer apps disable, enable and rename.
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import type { Actor } from '../model/actor.js';
import { isBeingDeleted } from '../model/app.js';
import { lockApp, writeAppIdentity } from './store.js';

type ChangeDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

/**
 * False if nothing changed. While an app is disabled, requests with its keys get `request/invalid-app-key`.
 */
export function setAppEnabled(
  deps: ChangeDeps,
  appId: string,
  enabled: boolean,
  actor: Actor,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (enabled && isBeingDeleted(app)) {
      throw new Error('the deletion of this app has begun; it cannot be enabled again');
    }
    if (app.enabled === enabled) return false;
    await writeAppIdentity(tx, appId, { enabled, updatedAt: now });
    const action = enabled ? 'app.enabled' : 'app.disabled';
    await writeAuditEntry(tx, deps, { appId, actor, action, target: `app:${appId}` });
    return true;
  });
}

/** Changes the name in mails and lists; id, slug and keys do not change. */
export function renameApp(deps: ChangeDeps, appId: string, name: string, actor: Actor): Promise<void> {
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    await lockApp(tx, appId);
    await writeAppIdentity(tx, appId, { name, updatedAt: now });
    await writeAuditEntry(tx, deps, { appId, actor, action: 'app.renamed', target: `app:${appId}` });
  });
}
