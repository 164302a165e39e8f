// The members of an app's team: list, change of role, removal. Changes of one team are serialized by a lock on its app, and
// check under it that the caller is still an owner: of two owners who remove each other at once, one succeeds.
import { InstantInput, type Member, type Role, Ulid } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import type { Actor } from '../model/actor.js';
import { type App, isConsole } from '../model/app.js';
import { deleteInvitationsBy } from './invitations/store.js';
import {
  countMembers,
  deleteMemberships,
  findMemberRow,
  listMemberRows,
  lockOwner,
  lockTeam,
  type MemberRow,
  updateRole,
} from './store.js';
import { writeTeamEntry } from './team-entry.js';

type MemberDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'apps'>;
/** The owner who makes the change. */
export type ByOwner = { uid: string; actor: Actor };

export async function listMembers(
  deps: Pick<Deps, 'query' | 'apps'>,
  appId: string,
  { limit, cursor }: PageInput,
): Promise<Page<Member>> {
  const consoleAppId = (await deps.apps.console()).id;
  const rows = await listMemberRows(deps.query, { consoleAppId, appId }, afterOf(cursor), limit + 1);
  return pageOf(rows, limit, ({ createdAt, uid }) => [timestamp(createdAt), uid], serializeMember);
}

function afterOf(cursor: string | undefined): { createdAt: Date; uid: string } | null {
  if (cursor === undefined) return null;
  const [createdAt, uid] = decodeCursor(cursor, InstantInput, Ulid);
  return { createdAt: new Date(createdAt), uid };
}

export async function changeRole(
  deps: MemberDeps,
  { appId, uid, role }: { appId: string; uid: string; role: Role },
  by: ByOwner,
): Promise<Member> {
  const consoleAppId = (await deps.apps.console()).id;
  requireRoleOfTeam({ consoleAppId, appId }, role);
  return deps.prisma.$transaction(async (tx) => {
    await lockTeamAsOwner(tx, { consoleAppId, appId }, by);
    const member = await findMemberRow(tx, { consoleAppId, appId, uid });
    if (!member) throw new ApiError('console/member-not-found');
    if (member.role === role) return serializeMember(member);
    await updateRole(tx, { appId, uid }, role);
    // Otherwise a former owner could still make others join.
    if (member.role === 'owner') await deleteInvitationsBy(tx, { appId, uid });
    await writeTeamEntry(
      tx,
      deps,
      { consoleAppId, uid: by.uid },
      {
        appId,
        actor: by.actor,
        action: 'member.role_changed',
        target: `member:${uid}`,
        details: { from: member.role, to: role },
      },
    );
    return serializeMember({ ...member, role });
  });
}

export async function removeMember(
  deps: MemberDeps,
  { appId, uid }: { appId: string; uid: string },
  by: ByOwner,
): Promise<void> {
  const consoleAppId = (await deps.apps.console()).id;
  const ofService = appId === consoleAppId;
  await deps.prisma.$transaction(async (tx) => {
    await lockTeamAsOwner(tx, { consoleAppId, appId }, by);
    const [membership] = await deleteMemberships(tx, { appId, uid });
    if (!membership) throw new ApiError('console/member-not-found');
    if (ofService) await requireOwnerLeft(tx, consoleAppId);
    await deleteInvitationsBy(tx, { appId: ofService ? null : appId, uid });
    await writeTeamEntry(tx, deps, { consoleAppId, uid: by.uid }, removalOf(membership, uid, by.actor));
  });
}

/**
 * For the deletion of an account of the app `console`, whose row is locked. `console/last-owner` if the service would have
 * no owner.
 */
export async function leaveTeams(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  app: App,
  uid: string,
): Promise<void> {
  if (!isConsole(app)) return;
  await lockTeam(tx, app.id);
  const memberships = await deleteMemberships(tx, { appId: null, uid });
  if (memberships.some(({ appId }) => appId === app.id)) await requireOwnerLeft(tx, app.id);
  await deleteInvitationsBy(tx, { appId: null, uid });
  // Without an IP address: the account and its personal data are deleted.
  const actor = { name: `member:${uid}`, ipAddress: null };
  for (const membership of memberships) await writeAuditEntry(tx, deps, removalOf(membership, uid, actor));
}

/** Members of the app `console` own the service; it has no other roles. */
export function requireRoleOfTeam(ids: { consoleAppId: string; appId: string }, role: Role): void {
  if (ids.appId !== ids.consoleAppId || role === 'owner') return;
  const fields = { role: ['must be owner for the app `console`'] };
  throw new ApiError('request/validation-failed', { fields });
}

export async function lockTeamAsOwner(
  tx: Tx,
  { consoleAppId, appId }: { consoleAppId: string; appId: string },
  { uid }: ByOwner,
): Promise<void> {
  await lockTeam(tx, appId);
  if (!(await lockOwner(tx, [consoleAppId, appId], uid))) throw new ApiError('console/insufficient-role');
}

async function requireOwnerLeft(tx: Tx, consoleAppId: string): Promise<void> {
  if ((await countMembers(tx, consoleAppId)) === 0) throw new ApiError('console/last-owner');
}

function removalOf({ appId, role }: { appId: string; role: Role }, uid: string, actor: Actor) {
  return { appId, actor, action: 'member.removed', target: `member:${uid}`, details: { role } } as const;
}

function serializeMember({ createdAt, ...member }: MemberRow): Member {
  return { ...member, created_at: timestamp(createdAt) };
}
