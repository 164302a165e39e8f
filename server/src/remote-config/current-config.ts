// The remote config as apps read it. A change takes effect in the next response of the instance that made it, and within five
// seconds on every other: which version is the newest is queried that often. The content of a version never changes.
import type { ConfigContent, ConfigMemory, Deps, VersionTag } from '../deps.js';
import type { RecentValues } from '../lib/recent-values.js';
import type { App } from '../model/app.js';
import { deliveredValues, type Parameters, plainValues } from './config-rules.js';
import { findNewestTag, findNewestVersion } from './store.js';

export const recentConfigTags = { milliseconds: 5_000, entries: 10_000 };
const cachedCharacters = 32_000_000;

/** The newest version of an app: its number and content hash. */
export async function currentConfig(
  deps: Pick<Deps, 'query' | 'prisma' | 'configMemory' | 'configTags'>,
  app: Pick<App, 'id'>,
): Promise<ConfigContent> {
  return contentOf(deps, app, await currentTag(deps, app));
}

export async function currentTag(
  deps: Pick<Deps, 'query' | 'configTags'>,
  app: Pick<App, 'id'>,
): Promise<VersionTag> {
  const recent = deps.configTags.get(app.id);
  if (recent) return recent;
  const tag = await findNewestTag(deps.query, app.id);
  return rememberNewestTag(deps.configTags, app.id, tag);
}

/** Returns the newer of the tag and the remembered one: concurrent queries and changes end in any order. */
export function rememberNewestTag(
  configTags: RecentValues<VersionTag>,
  appId: string,
  tag: VersionTag,
): VersionTag {
  const remembered = configTags.get(appId);
  if (remembered && remembered.version > tag.version) return remembered;
  configTags.set(appId, tag);
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
