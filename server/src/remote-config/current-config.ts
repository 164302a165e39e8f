// The remote config as apps read it. A change is in the next answer of every instance, so each read asks which version is
// the newest; what that version holds is kept in memory, as it never changes.
import type { Query } from '@foyer/prisma';
import type { ConfigContent, ConfigMemory, Deps, VersionTag } from '../deps.js';
import type { App } from '../model/app.js';
import { deliveredValues, type Parameters, plainValues } from './config-rules.js';
import { findNewestTag, findNewestVersion } from './store.js';

const keptCharacters = 32_000_000;

/** The newest version of an app: its number, and what it holds. */
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

/** What a version holds; that of the newest one should there be a newer one by now. */
export async function contentOf(
  { prisma, configMemory }: Pick<Deps, 'prisma' | 'configMemory'>,
  app: Pick<App, 'id'>,
  tag: VersionTag,
): Promise<ConfigContent> {
  const kept = configMemory.get(app.id)?.content;
  if (kept && kept.version === tag.version && kept.contentHash === tag.contentHash) return kept;
  const row = await findNewestVersion(prisma, app.id);
  if (!row) throw new Error(`the app ${app.id} has no remote config`);
  const parameters = JSON.parse(row.parameters) as Parameters;
  const content = {
    version: row.version,
    contentHash: row.contentHash,
    delivered: deliveredValues(parameters),
    values: plainValues(parameters),
  };
  keep(configMemory, app.id, content, row.parameters.length);
  return content;
}

function keep(memory: ConfigMemory, appId: string, content: ConfigContent, characters: number): void {
  memory.delete(appId);
  memory.set(appId, { content, characters });
  let all = 0;
  for (const each of memory.values()) all += each.characters;
  for (const [oldest, each] of memory) {
    if (all <= keptCharacters) return;
    memory.delete(oldest);
    all -= each.characters;
  }
}
