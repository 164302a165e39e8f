// PUT /admin/app-files: changes one group of the app, as a whole or not at all, if it is still as the caller has seen it.
import type { AppFilesChange, AppliedFiles, AppSettings, AppSettingsPatch } from '@foyer/contract';
import { findApp } from '../apps/store.js';
import { readDeclarations, replaceCollections } from '../data/collections/replace-collections.js';
import type { ChangeAppDeps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { versionTag } from '../lib/version-tag.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { replaceConfig } from '../remote-config/change-config.js';
import type { Parameters } from '../remote-config/config-rules.js';
import { readWebhooks, replaceWebhooks } from '../webhooks/endpoints/replace-webhooks.js';

/** Changes settings; `requireCurrent` is called with those as of the lock. */
export type ChangeSettings = (
  patch: AppSettingsPatch,
  requireCurrent: (settings: AppSettings) => void,
) => Promise<AppSettings>;

export async function applyGroup(
  deps: ChangeAppDeps,
  caller: Pick<Call, 'app' | 'actor' | 'outsideTurn'> & Partial<Pick<Call, 'authorizeAgain'>>,
  change: AppFilesChange,
  changeSettings: ChangeSettings,
): Promise<AppliedFiles> {
  const { version, settings, remote_config, collections, webhooks } = change;
  // The settings may have been changed by the call before, on another instance.
  const call = { ...caller, app: (await findApp(deps.prisma, { id: caller.app.id })) as App };
  const appId = call.app.id;
  if (settings) {
    const changed = await changeSettings(settings, (current) => {
      if (versionTag(current) !== version) throw new ApiError('admin/version-conflict');
    });
    return { version: versionTag(changed), new_webhooks: [] };
  }
  if (remote_config) {
    const parameters = remote_config as Parameters;
    const next = { parameters, note: null, ifMatch: version, validateOnly: false };
    const { etag } = await replaceConfig(deps, call, next);
    return { version: etag, new_webhooks: [] };
  }
  if (collections) {
    await replaceCollections(deps, call, { collections, version, deleteRecords: change.delete_records });
    return { version: (await readDeclarations(deps, appId)).version, new_webhooks: [] };
  }
  const added = await replaceWebhooks(deps, call, { webhooks: webhooks ?? [], version });
  return { version: (await readWebhooks(deps, appId)).version, new_webhooks: added };
}
