// The names of the actors and targets of audit entries, and of the authors of notes, as they are now.
import { roleHasScope, type SecretKeyScope } from '@foyer/contract';
import type { PrismaClient } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { withoutQuery } from '../lib/without-query.js';
import { type App, isConsole } from '../model/app.js';
import type { Call } from '../model/call.js';
import {
  findAppNames,
  findFileNames,
  findInvitedEmails,
  findMemberEmails,
  findMessageTitles,
  findSecretKeyNames,
  findUserNames,
  findWebhookUrls,
  type Named,
} from './store.js';

/** By references such as `member:<uid>`; without those that have no name. */
export type Names = ReadonlyMap<string, string>;

type FindNames = (prisma: PrismaClient, appId: string, ids: string[]) => Promise<Named[]>;

const finders: Record<string, FindNames> = {
  member: (prisma, _, uids) => findMemberEmails(prisma, uids),
  secret_key: findSecretKeyNames,
  app: findAppNames,
  invitation: findInvitedEmails,
};

/**
 * What names contain that a scope of their own reveals: those of users and of files, the titles of push messages, and the paths of
 * webhooks, which may authenticate the service at the receiver.
 */
export type Sees = { users: boolean; messages?: boolean; files?: boolean; webhooks?: boolean };

/** What a caller who may read the audit log sees of it. */
export function seenBy({ secretKey, member }: Pick<Call, 'secretKey' | 'member'>): Sees {
  const has = (scope: SecretKeyScope) =>
    secretKey
      ? secretKey.scopes.includes(scope)
      : member !== null && roleHasScope(member.role ?? 'viewer', scope);
  return {
    users: has('users:read'),
    messages: has('push:read'),
    files: has('files:read'),
    webhooks: has('webhooks:manage'),
  };
}

/** At most one query for each kind of reference. The users of the app `console` are members. */
export async function namesOf(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  references: string[],
  sees: Sees,
): Promise<Names> {
  const byKind = new Map<string, Set<string>>();
  for (const reference of references) {
    const [, kind, id] = /^(\w+):(.+)$/.exec(reference) ?? [];
    if (kind && id) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
  }
  const found = await Promise.all(
    [...byKind].map(async ([kind, ids]) => {
      const find = finderOf(app, kind, sees);
      const names = find ? await find(deps.prisma, app.id, [...ids]) : [];
      return names.map(({ id, name }) => [`${kind}:${id}`, name] as const);
    }),
  );
  return new Map(found.flat());
}

function finderOf(app: App, kind: string, sees: Sees): FindNames | undefined {
  if (kind === 'push_message') return sees.messages ? findMessageTitles : undefined;
  if (kind === 'file') return sees.files ? findFileNames : undefined;
  if (kind === 'webhook') return webhookNames(sees.webhooks ? withoutQuery : (url) => new URL(url).origin);
  if (kind !== 'user') return finders[kind];
  if (isConsole(app)) return finders.member;
  return sees.users ? findUserNames : undefined;
}

function webhookNames(shown: (url: string) => string): FindNames {
  return async (prisma, appId, ids) =>
    (await findWebhookUrls(prisma, appId, ids)).map(({ id, name }) => ({ id, name: shown(name) }));
}
