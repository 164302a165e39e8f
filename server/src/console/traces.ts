// What a member or a secret key leaves in an app: keys, webhooks, settings and open collections that it created or changed, and
// whoever had it could use after its removal, from the audit log, which names it; and scheduled messages.
import { type AuditAction, limits, type MemberTrace, settingScopes } from '@foyer/contract';
import { listActiveSecretKeys } from '../apps/secret-keys.js';
import { listLatestOfActor } from '../audit/store.js';
import { readDeclarations } from '../data/collections/replace-collections.js';
import type { Deps } from '../deps.js';
import { compareTexts } from '../lib/compare-texts.js';
import { timestamp } from '../lib/timestamp.js';
import { listScheduledBy } from '../push/messages/list-messages.js';
import { listWebhooks } from '../webhooks/endpoints/list-webhooks.js';

const actions = [
  'secret_key.created',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'settings.updated',
  'collection.created',
  'collection.updated',
] as const satisfies AuditAction[];

/** More than an app can have of all kinds together. */
const maxTraces = 2_500;

type Left = Pick<MemberTrace, 'kind' | 'id' | 'name'>;
type TraceDeps = Pick<Deps, 'prisma' | 'query' | 'clock'>;

/** The last action of the actor on each, newest first; only what still exists. Scheduled messages come last. */
export async function listTraces(
  deps: TraceDeps,
  { appId, actor }: { appId: string; actor: `member:${string}` | `secret_key:${string}` },
): Promise<{ items: MemberTrace[] }> {
  const left = await leftIn(deps, appId);
  const entries = await listLatestOfActor(deps.prisma, appId, { actor, actions, targets: [...left.keys()] });
  entries.sort((one, other) => compareTexts(other.id, one.id));
  const traces = new Map<Left, MemberTrace>();
  for (const { about, action, createdAt } of entries) {
    const what = left.get(about);
    if (!what || traces.has(what)) continue;
    traces.set(what, { ...what, action: action as AuditAction, at: timestamp(createdAt) });
  }
  const scheduled = await listScheduledBy(deps, appId, actor);
  const messages = scheduled.map(
    ({ id, title, createdAt }): MemberTrace => ({
      ...{ kind: 'push_message', id, name: title || 'Untitled' },
      ...{ action: 'push.sent', at: timestamp(createdAt) },
    }),
  );
  return { items: [...traces.values(), ...messages].slice(0, maxTraces) };
}

/**
 * Each key, webhook, setting and open collection that is still in use, by what an entry about it is named. Of the changes of a
 * webhook only another URL reveals something to the actor, and of those of a collection only another access mode.
 */
async function leftIn(deps: TraceDeps, appId: string): Promise<Map<string, Left>> {
  const keys = await listActiveSecretKeys(deps, appId);
  const webhooks = await listWebhooks(deps, appId, { limit: limits.webhooksPerApp });
  const settings = Object.entries(settingScopes).filter(
    ([name, scope]) => scope === 'sign-in:manage' || name === 'push',
  );
  const { collections } = await readDeclarations(deps, appId);
  const open = collections.filter(({ access_mode }) => access_mode !== 'admin');
  return new Map<string, Left>([
    ...keys.map(({ id, name }) => [`secret_key:${id}`, { kind: 'secret_key', id, name }] as const),
    ...webhooks.items.flatMap(({ id, url }) => {
      const webhook = { kind: 'webhook', id, name: url } as const;
      return [`webhook:${id}`, `webhook:${id}#url`].map((about) => [about, webhook] as const);
    }),
    ...settings.map(([id]) => [`app:${appId}#${id}`, { kind: 'setting', id, name: id }] as const),
    ...open.flatMap(({ name }) => {
      const collection = { kind: 'collection', id: name, name } as const;
      return [`collection:${name}`, `collection:${name}#access_mode`].map(
        (about) => [about, collection] as const,
      );
    }),
  ]);
}
