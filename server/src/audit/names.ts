// The names of the actors and targets of audit entries, and of the authors of notes, as they are now.
import { roleHasScope } from '@foyer/contract';
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
  file: findFileNames,
  invitation: findInvitedEmails,
  webhook: async (prisma, appId, ids) =>
    (await findWebhookUrls(prisma, appId, ids)).map(({ id, name }) => ({ id, name: withoutQuery(name) })),
};

/** Whether a caller who may read the audit log also sees the names of users in it. */
export function seesUsers({ secretKey, member }: Pick<Call, 'secretKey' | 'member'>): boolean {
  if (secretKey) return secretKey.scopes.includes('users:read');
  return member !== null && roleHasScope(member.role ?? 'viewer', 'users:read');
}

/** At most one query for each kind of reference. The users of the app `console` are members. */
export async function namesOf(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  references: string[],
  { users }: { users: boolean },
): Promise<Names> {
  const byKind = new Map<string, Set<string>>();
  for (const reference of references) {
    const [kind = '', id] = splitAt(reference, ':');
    if (id !== '') byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
  }
  const found = await Promise.all(
    [...byKind].map(async ([kind, ids]) => {
      const find = kind === 'user' ? findUsers(app, users) : finders[kind];
      const names = find ? await find(deps.prisma, app.id, [...ids]) : [];
      return names.map(({ id, name }) => [`${kind}:${id}`, name] as const);
    }),
  );
  return new Map(found.flat());
}

function findUsers(app: App, mayRead: boolean): FindNames | undefined {
  if (isConsole(app)) return finders.member;
  return mayRead ? findUserNames : undefined;
}

function splitAt(text: string, separator: string): [before: string, after: string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}
