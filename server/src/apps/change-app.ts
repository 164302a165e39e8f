// foyer apps disable, enable and rename: what an operator changes of an app itself.
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import type { Actor } from '../model/actor.js';
import { isBeingDeleted } from '../model/app.js';
import { lockApp, writeAppIdentity } from './store.js';

type ChangeDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

/** False where it is so already. While an app is disabled, calls with its keys answer `request/invalid-app-key`. */
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

/** The name that mails and the list of apps show; id, slug and keys stay. */
export function renameApp(deps: ChangeDeps, appId: string, name: string, actor: Actor): Promise<void> {
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    await lockApp(tx, appId);
    await writeAppIdentity(tx, appId, { name, updatedAt: now });
    await writeAuditEntry(tx, deps, { appId, actor, action: 'app.renamed', target: `app:${appId}` });
  });
}
