// The remote config as apps read it. A change takes effect in the next response of every instance, so each read queries the
// newest version; its content is cached in memory, since a version never changes.
import type { Query } from '@foyer/prisma';
import type { ConfigContent, ConfigMemory, Deps, VersionTag } from '../deps.js';
import type { App } from '../model/app.js';
import { deliveredValues, type Parameters, plainValues } from './config-rules.js';
import { findNewestTag, findNewestVersion } from './store.js';

const cachedCharacters = 32_000_000;

/** The newest version of an app: its number and content hash. */
export async function currentConfig(
  deps: Pick<Deps, 'query' | 'prisma' | 'configMemory'>,
  app: Pick<App, 'id'>,
): Promise<ConfigContent> {
  return contentOf(deps, app, await currentTag(deps.query, app));
}

export async function currentTag(query: Query, app: Pick<App, 'id'>): Promise<VersionTag> {
  const tag = await findNewestTag(query, app.id);
  if (!tag) throw new Error(`the app ${app.id} has no remote config`);
  return tag;
}

/** The content of a version, or of a newer one that exists by now. */
export async function contentOf(
  { prisma, configMemory }: Pick<Deps, 'prisma' | 'configMemory'>,
  app: Pick<App, 'id'>,
  tag: VersionTag,
): Promise<ConfigContent> {
  const cached = configMemory.get(app.id)?.content;
  if (cached && cached.version === tag.version && cached.contentHash === tag.contentHash) return cached;
  const row = await findNewestVersion(prisma, app.id);
  if (!row) throw new Error(`the app ${app.id} has no remote config`);
  const parameters = JSON.parse(row.parameters) as Parameters;
  const content = {
    version: row.version,
    contentHash: row.contentHash,
    delivered: deliveredValues(parameters),
    values: plainValues(parameters),
  };
  cache(configMemory, app.id, content, row.parameters.length);
  return content;
}

function cache(memory: ConfigMemory, appId: string, content: ConfigContent, characters: number): void {
  memory.delete(appId);
  memory.set(appId, { content, characters });
  let all = 0;
  for (const each of memory.values()) all += each.characters;
  for (const [oldest, each] of memory) {
    if (all <= cachedCharacters) return;
    memory.delete(oldest);
    all -= each.characters;
  }
}
