// Changes of an app itself, by an operator or an owner: its name, and whether it is enabled.
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Actor } from '../model/actor.js';
import { isBeingDeleted } from '../model/app.js';
import { lockApp, updateAppRow } from './store.js';

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
  return deps.prisma.$transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (enabled && isBeingDeleted(app)) {
      throw new Error('the deletion of this app has begun; it cannot be enabled again');
    }
    if (app.enabled === enabled) return false;
    await write(tx, deps, appId, { enabled }, actor);
    return true;
  });
}

/** Changes the name in mails and lists; id, slug and keys do not change. */
export function renameApp(deps: ChangeDeps, appId: string, name: string, actor: Actor): Promise<void> {
  return deps.prisma.$transaction((tx) => write(tx, deps, appId, { name }, actor));
}

/** Both at once, for a member. Values that the app has already write nothing. */
export function changeApp(
  deps: ChangeDeps,
  appId: string,
  { name, enabled }: { name?: string | undefined; enabled?: boolean | undefined },
  actor: Actor,
): Promise<void> {
  return deps.prisma.$transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (isBeingDeleted(app)) throw new ApiError('console/app-not-found');
    if (name !== undefined && name !== app.name) await write(tx, deps, appId, { name }, actor);
    if (enabled !== undefined && enabled !== app.enabled) await write(tx, deps, appId, { enabled }, actor);
  });
}

async function write(
  tx: Tx,
  deps: ChangeDeps,
  appId: string,
  change: { name: string } | { enabled: boolean },
  actor: Actor,
): Promise<void> {
  await updateAppRow(tx, appId, { ...change, updatedAt: deps.clock.now() });
  const action = 'name' in change ? 'app.renamed' : change.enabled ? 'app.enabled' : 'app.disabled';
  await writeAuditEntry(tx, deps, { appId, actor, action, target: `app:${appId}` });
}
