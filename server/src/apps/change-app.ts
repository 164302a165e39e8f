// Changes of an app itself, by an operator or an owner: its name, and whether it is enabled.
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import type { Actor } from '../model/actor.js';
import { isBeingDeleted } from '../model/app.js';
import { lockApp, updateAppRow } from './store.js';

export type AppChange = { name?: string | undefined; enabled?: boolean | undefined };

/**
 * The name is that in mails and lists; id, slug and keys do not change. While an app is disabled, requests with its keys get
 * `request/invalid-app-key`. Values that the app has already write nothing.
 */
export function changeApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  appId: string,
  { name, enabled }: AppChange,
  actor: Actor,
): Promise<'changed' | 'unchanged' | 'being deleted'> {
  return deps.prisma.$transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (isBeingDeleted(app)) return 'being deleted';
    const renamed = name !== undefined && name !== app.name;
    const switched = enabled !== undefined && enabled !== app.enabled;
    if (!renamed && !switched) return 'unchanged';
    const change = { ...(renamed && { name }), ...(switched && { enabled }) };
    await updateAppRow(tx, appId, { ...change, updatedAt: deps.clock.now() });
    const entry = { appId, actor, target: `app:${appId}` };
    if (renamed) await writeAuditEntry(tx, deps, { ...entry, action: 'app.renamed' });
    if (switched)
      await writeAuditEntry(tx, deps, { ...entry, action: enabled ? 'app.enabled' : 'app.disabled' });
    return 'changed';
  });
}
