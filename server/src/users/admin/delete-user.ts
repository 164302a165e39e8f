// DELETE /admin/users/{uid}: all that deleting the own account does.
import type { Deps } from '../../deps.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import { deleteAccount } from '../../profile/delete-account.js';
import { lockKnownUser } from './end-sessions.js';

export async function deleteUserOf(deps: Deps, app: App, uid: string, actor: Actor): Promise<void> {
  await deleteAccount(deps, app, uid, (tx) => lockKnownUser(tx, { appId: app.id, uid }), {
    by: actor,
  });
}
