// What a member or a secret key leaves in an app: keys, webhooks and settings that it created or changed, and whoever had it could
// use after its removal, from the audit log, which names it; and scheduled messages.
import { type AuditAction, limits, type MemberTrace, settingScopes } from '@foyer/contract';
import { listSecretKeys } from '../apps/secret-keys.js';
import { listEntriesOfActor } from '../audit/store.js';
import type { Deps } from '../deps.js';
import { isObject } from '../lib/json-rules.js';
import { timestamp } from '../lib/timestamp.js';
import { listScheduledBy } from '../push/messages/list-messages.js';
import { listWebhooks } from '../webhooks/endpoints/list-webhooks.js';

const actions = [
  'secret_key.created',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'settings.updated',
] as const satisfies AuditAction[];

const maxEntries = 10_000;
const maxTraces = 1_000;

/** The last action of the actor on each, newest first; only what still exists. Scheduled messages come last. */
export async function listTraces(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  { appId, actor }: { appId: string; actor: `member:${string}` | `secret_key:${string}` },
): Promise<{ items: MemberTrace[] }> {
  const names = await namesOf(deps, appId);
  const by = { actor, actions };
  const traces = new Map<string, MemberTrace>();
  for (const entry of await listEntriesOfActor(deps.prisma, appId, by, maxEntries)) {
    const action = entry.action as (typeof actions)[number];
    const changed = changedIn(entry.details);
    // Another description or other types of a webhook reveal nothing to the actor.
    if (action === 'webhook.updated' && !changed.includes('url')) continue;
    const targets = action === 'settings.updated' ? changed.map((name) => `setting:${name}`) : [entry.target];
    for (const target of targets) {
      const name = names.get(target);
      if (name === undefined || traces.has(target) || traces.size >= maxTraces) continue;
      const [kind, id] = [target.slice(0, target.indexOf(':')), target.slice(target.indexOf(':') + 1)];
      traces.set(target, {
        ...{ kind: kind as MemberTrace['kind'], id, name },
        ...{ action, at: timestamp(entry.createdAt) },
      });
    }
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

/** The name of each key, webhook and setting that is still in use, by its name in the audit log. */
async function namesOf(deps: Pick<Deps, 'prisma' | 'clock'>, appId: string): Promise<Map<string, string>> {
  const now = deps.clock.now();
  const keys = (await listSecretKeys(deps, appId)).filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
  );
  const webhooks = await listWebhooks(deps, appId, { limit: limits.webhooksPerApp });
  const settings = Object.entries(settingScopes).filter(
    ([name, scope]) => scope === 'sign-in:manage' || name === 'push',
  );
  return new Map([
    ...keys.map(({ id, name }) => [`secret_key:${id}`, name] as const),
    ...webhooks.items.map(({ id, url }) => [`webhook:${id}`, url] as const),
    ...settings.map(([name]) => [`setting:${name}`, name] as const),
  ]);
}

function changedIn(details: unknown): string[] {
  const changed = isObject(details) ? details.changed : [];
  return Array.isArray(changed) ? changed.filter((name): name is string => typeof name === 'string') : [];
}
