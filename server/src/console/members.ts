// The members of an app's team: list, change of role, removal. Changes of one team are serialized by a lock on its app, and
// check under it that the caller is still an owner: of two owners who remove each other at once, one succeeds.
import { InstantInput, type Member, type Role, type ServiceOwner, Ulid } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import type { Actor } from '../model/actor.js';
import { type App, isConsole } from '../model/app.js';
import type { TeamCall } from '../model/call.js';
import { toWire } from '../model/wire.js';
import { lockTeamAsOwner, requireRoleOfTeam } from './as-owner.js';
import { deleteInvitationsBy } from './invitations/store.js';
import {
  countMembers,
  deleteMemberships,
  findMemberRow,
  listMemberRows,
  lockTeam,
  type MemberRow,
  memberNames,
  updateRole,
} from './store.js';
import { writeTeamEntry } from './team-entry.js';

type MemberDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'apps'>;

export async function listMembers(
  deps: Pick<Deps, 'query' | 'apps'>,
  appId: string,
  { limit, cursor }: PageInput,
): Promise<Page<Member>> {
  const consoleAppId = (await deps.apps.console()).id;
  const rows = await listMemberRows(deps.query, { consoleAppId, appId }, afterOf(cursor), limit + 1);
  return pageOf(rows, limit, ({ createdAt, uid }) => [timestamp(createdAt), uid], serializeMember);
}

/** The members of the app `console`, without what only their own team sees of them. */
export async function listOwners(
  deps: Pick<Deps, 'query' | 'apps'>,
  page: PageInput,
): Promise<Page<ServiceOwner>> {
  const { items, next_cursor } = await listMembers(deps, (await deps.apps.console()).id, page);
  return {
    items: items.map(({ uid, email, first_name, last_name }) => ({ uid, email, first_name, last_name })),
    next_cursor,
  };
}

function afterOf(cursor: string | undefined): { createdAt: Date; uid: string } | null {
  if (cursor === undefined) return null;
  const [createdAt, uid] = decodeCursor(cursor, InstantInput, Ulid);
  return { createdAt: new Date(createdAt), uid };
}

export async function changeRole(
  deps: MemberDeps,
  call: TeamCall,
  { appId, uid, role }: { appId: string; uid: string; role: Role },
): Promise<Member> {
  const { actor } = call;
  const consoleAppId = (await deps.apps.console()).id;
  requireRoleOfTeam({ consoleAppId, appId }, role);
  return change(deps, { app: { id: appId }, actor }, async (tx) => {
    await lockTeamAsOwner(tx, { consoleAppId, appId }, call);
    const member = await findMemberRow(tx, { consoleAppId, appId, uid });
    if (!member) throw new ApiError('console/member-not-found');
    if (member.role === role) return serializeMember(member);
    await updateRole(tx, { appId, uid }, role);
    // Otherwise a former owner could still make others join.
    if (member.role === 'owner') await deleteInvitationsBy(tx, { appId, uid });
    await writeTeamEntry(
      tx,
      deps,
      { consoleAppId, uid: call.member.uid },
      {
        appId,
        actor,
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
  call: TeamCall,
  { appId, uid }: { appId: string; uid: string },
): Promise<void> {
  const { actor } = call;
  const consoleAppId = (await deps.apps.console()).id;
  const ofService = appId === consoleAppId;
  await change(deps, { app: { id: appId }, actor }, async (tx) => {
    await lockTeamAsOwner(tx, { consoleAppId, appId }, call);
    const [membership] = await deleteMemberships(tx, { appId, uid });
    if (!membership) throw new ApiError('console/member-not-found');
    if (ofService) await requireOwnerLeft(tx, consoleAppId);
    await deleteInvitationsBy(tx, { appId: ofService ? null : appId, uid });
    await writeTeamEntry(tx, deps, { consoleAppId, uid: call.member.uid }, removalOf(membership, uid, actor));
  });
}

/**
 * Part of the deletion of an account of the app `console`, whose row is locked. `console/last-owner` if the service would
 * have no owner.
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
  const actor = { name: `member:${uid}`, ip: null };
  for (const membership of memberships) await writeAuditEntry(tx, deps, removalOf(membership, uid, actor));
}

async function requireOwnerLeft(tx: Tx, consoleAppId: string): Promise<void> {
  if ((await countMembers(tx, consoleAppId)) === 0) throw new ApiError('console/last-owner');
}

function removalOf({ appId, role }: { appId: string; role: Role }, uid: string, actor: Actor) {
  return { appId, actor, action: 'member.removed', target: `member:${uid}`, details: { role } } as const;
}

function serializeMember(row: MemberRow): Member {
  return toWire(row, memberNames);
}
