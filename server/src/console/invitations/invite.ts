// Invites an email to the team of an app, lists and revokes pending invitations.
import { type Invitation, limits, type NewInvitation, type Role, Ulid } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { hourMilliseconds, timestamp } from '../../lib/timestamp.js';
import { queueMail } from '../../mail/queue-mail.js';
import { isConsole } from '../../model/app.js';
import { type ByOwner, lockTeamAsOwner, requireRoleOfTeam } from '../members.js';
import { countMembers, hasMemberWithEmail } from '../store.js';
import { writeTeamEntry } from '../team-entry.js';
import { invitationLink, newInvitationToken } from './invitation-token.js';
import {
  countPendingInvitations,
  deleteInvitation,
  deleteInvitationsOf,
  type InvitationRow,
  insertInvitation,
  listPendingInvitations,
} from './store.js';

export { deleteExpiredInvitations } from './store.js';

/** Replaces an earlier invitation of the email. `invitedBy` is the email of the owner. */
export async function invite(
  deps: Deps,
  { appId, email, role }: { appId: string; email: string; role: Role },
  by: ByOwner & { email: string },
  store: StoreResponse<NewInvitation>,
): Promise<NewInvitation> {
  const consoleApp = await deps.apps.console();
  const ids = { consoleAppId: consoleApp.id, appId };
  requireRoleOfTeam(ids, role);
  const app = await deps.apps.byId(appId);
  if (!app) throw new ApiError('console/app-not-found');
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + limits.invitationHours.member * hourMilliseconds);
  const row = { appId, id: deps.random.ulid(createdAt), email, role, createdAt, expiresAt };
  // The owner sees one link and the mail has another, so that only the mailed one proves the email.
  const [shown, mailedToken] = [newInvitationToken(deps), newInvitationToken(deps)];
  const { baseUrl } = deps.config;
  const answer = await deps.prisma.$transaction(async (tx) => {
    await lockTeamAsOwner(tx, ids, by);
    if (await hasMemberWithEmail(tx, { ...ids, appIds: [appId, consoleApp.id], email })) {
      throw new ApiError('console/already-a-member', { fields: { email: ['belongs to a member'] } });
    }
    await deleteInvitationsOf(tx, appId, email);
    const size = (await countMembers(tx, appId)) + (await countPendingInvitations(tx, appId, createdAt));
    if (size >= limits.membersPerApp) throw new ApiError('console/too-many-members');
    const hashes = { tokenHash: shown.hash, mailTokenHash: mailedToken.hash };
    await insertInvitation(tx, { ...row, ...hashes, invitedBy: by.uid });
    const entry = { appId, actor: by.actor, action: 'member.invited' } as const;
    const inviter = { consoleAppId: consoleApp.id, uid: by.uid };
    await writeTeamEntry(tx, deps, inviter, { ...entry, target: `invitation:${row.id}`, details: { role } });
    const invitation = {
      appName: isConsole(app) ? null : app.name,
      role,
      invitedBy: by.email,
      link: invitationLink(baseUrl, mailedToken.token),
      expiresAt: expiresAt.getTime(),
    };
    const mailed = await queueMail(tx, deps, consoleApp, { kind: 'invitation', to: email, invitation });
    const link = invitationLink(baseUrl, shown.token);
    const answer = { ...serializeInvitation(row), email, link, mailed };
    await store(tx, answer);
    return answer;
  });
  deps.queue.wake();
  return answer;
}

export async function listInvitations(
  deps: Pick<Deps, 'query' | 'clock'>,
  appId: string,
  { limit, cursor }: PageInput,
): Promise<Page<Invitation>> {
  const afterId = cursor === undefined ? undefined : decodeCursor(cursor, Ulid)[0];
  const search = { appId, now: deps.clock.now(), afterId, maxRows: limit + 1 };
  const rows = await listPendingInvitations(deps.query, search);
  return pageOf(rows, limit, ({ id }) => [id], serializeInvitation);
}

export async function revokeInvitation(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'apps'>,
  ids: { appId: string; id: string },
  by: ByOwner,
): Promise<void> {
  const consoleAppId = (await deps.apps.console()).id;
  await deps.prisma.$transaction(async (tx) => {
    await lockTeamAsOwner(tx, { consoleAppId, appId: ids.appId }, by);
    if (!(await deleteInvitation(tx, ids))) throw new ApiError('console/invitation-not-found');
    const entry = { appId: ids.appId, actor: by.actor, action: 'member.invitation_revoked' } as const;
    await writeTeamEntry(
      tx,
      deps,
      { consoleAppId, uid: by.uid },
      { ...entry, target: `invitation:${ids.id}` },
    );
  });
}

function serializeInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    created_at: timestamp(row.createdAt),
    expires_at: timestamp(row.expiresAt),
  };
}
