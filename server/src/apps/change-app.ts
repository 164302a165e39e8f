// Changes of an app itself, by an operator or an owner: its name, and whether it is enabled.
import { type Changer, change } from '../change.js';
import type { Deps } from '../deps.js';
import { isBeingDeleted } from '../model/app.js';
import { lockApp, updateAppRow } from './store.js';

export type AppChange = { name?: string | undefined; enabled?: boolean | undefined };

/**
 * The name is that in mails and lists; id, slug and keys do not change. While an app is disabled, requests with its keys get
 * `request/invalid-app-key`. Values that the app has already write nothing.
 */
export function changeApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  call: Changer,
  { name, enabled }: AppChange,
): Promise<'changed' | 'unchanged' | 'being deleted'> {
  const { id: appId } = call.app;
  return change(deps, call, async (tx, record) => {
    const app = await lockApp(tx, appId);
    if (isBeingDeleted(app)) return 'being deleted';
    const renamed = name !== undefined && name !== app.name;
    const switched = enabled !== undefined && enabled !== app.enabled;
    if (!renamed && !switched) return 'unchanged';
    const changed = { ...(renamed && { name }), ...(switched && { enabled }) };
    await updateAppRow(tx, appId, { ...changed, updatedAt: deps.clock.now() });
    const target = `app:${appId}`;
    if (renamed) await record.audit({ action: 'app.renamed', target, details: { from: app.name, to: name } });
    if (switched) await record.audit({ action: enabled ? 'app.enabled' : 'app.disabled', target });
    return 'changed';
  });
}
