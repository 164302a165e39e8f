// GET /admin/app-files: the app as files, with the version of each group.
import type { AppFiles } from '@foyer/contract';
import { findApp } from '../apps/store.js';
import { readDeclarations } from '../data/collections/replace-collections.js';
import type { Deps } from '../deps.js';
import { versionTag } from '../lib/version-tag.js';
import type { App } from '../model/app.js';
import { etagOf, serializeConfig } from '../remote-config/read-config.js';
import { findNewestVersion } from '../remote-config/store.js';
import { serializeSettings } from '../settings/settings.js';
import { readWebhooks } from '../webhooks/endpoints/replace-webhooks.js';
import { escapedReferences } from './references.js';
import { filesOf, parametersInFile, settingsInFile } from './write-files.js';

export async function readAppFiles(deps: Pick<Deps, 'prisma' | 'query'>, appId: string): Promise<AppFiles> {
  const app = (await findApp(deps.prisma, { id: appId })) as App;
  const config = await findNewestVersion(deps.prisma, appId);
  const { collections, version: ofCollections } = await readDeclarations(deps, appId);
  const { webhooks, version: ofWebhooks } = await readWebhooks(deps, appId);
  const settings = serializeSettings(app);
  const files = filesOf({
    ...settingsInFile(settings),
    remote_config: parametersInFile(serializeConfig(config).parameters),
    collections: Object.fromEntries(collections.map(({ name, ...declaration }) => [name, declaration])),
    webhooks: webhooks.map((webhook) => ({ ...webhook, url: escapedReferences(webhook.url) })),
  });
  return {
    app: app.slug,
    files,
    versions: {
      settings: versionTag(settings),
      remote_config: etagOf(config),
      collections: ofCollections,
      webhooks: ofWebhooks,
    },
  };
}
