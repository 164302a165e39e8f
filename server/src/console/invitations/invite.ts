// Invites an email to the team of an app, lists and revokes pending invitations.
import { type Invitation, limits, type NewInvitation, type Role, Ulid } from '@foyer/contract';
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { hourMilliseconds } from '../../lib/timestamp.js';
import { isConsole } from '../../model/app.js';
import type { TeamCall } from '../../model/call.js';
import { toWire } from '../../model/wire.js';
import { lockTeamAsOwner, requireRoleOfTeam } from '../as-owner.js';
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
  shownOfInvitation,
} from './store.js';

/** Replaces an earlier invitation of the email. */
export async function invite(
  deps: Deps,
  call: TeamCall,
  { appId, email, role }: { appId: string; email: string; role: Role },
  store: StoreResponse<NewInvitation>,
): Promise<NewInvitation> {
  const { actor, member } = call;
  const consoleApp = await deps.apps.console();
  const ids = { consoleAppId: consoleApp.id, appId };
  requireRoleOfTeam(ids, role);
  const app = await deps.apps.byId(appId);
  if (!app) throw new ApiError('console/app-not-found');
  // Mails to strangers, with texts that the team chose. By app too, since an owner can invite further owners.
  for (const subject of [`member ${member.uid}`, `app ${appId}`]) {
    for (const policy of ['invitation', 'invitation-day'] as const)
      await deps.limiter.consume(policy, consoleApp, subject);
  }
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + limits.invitationHours.member * hourMilliseconds);
  const row = { appId, id: deps.random.ulid(createdAt), email, role, createdAt, expiresAt };
  // The owner sees one link and the mail has another, so that only the mailed one proves the email.
  const [shown, mailedToken] = [newInvitationToken(deps), newInvitationToken(deps)];
  const { baseUrl } = deps.config;
  return change(deps, { app: { id: appId }, actor }, async (tx, record) => {
    await lockTeamAsOwner(tx, ids, call);
    if (await hasMemberWithEmail(tx, { ...ids, appIds: [appId, consoleApp.id], email })) {
      throw new ApiError('console/already-a-member', { fields: { email: ['belongs to a member'] } });
    }
    await deleteInvitationsOf(tx, appId, email);
    const size = (await countMembers(tx, appId)) + (await countPendingInvitations(tx, appId, createdAt));
    if (size >= limits.membersPerApp) throw new ApiError('console/too-many-members');
    const hashes = { tokenHash: shown.hash, mailTokenHash: mailedToken.hash };
    await insertInvitation(tx, { ...row, ...hashes, invitedBy: member.uid });
    const entry = { appId, actor, action: 'member.invited' } as const;
    const inviter = { consoleAppId: consoleApp.id, uid: member.uid };
    await writeTeamEntry(tx, deps, inviter, { ...entry, target: `invitation:${row.id}`, details: { role } });
    const invitation = {
      appName: isConsole(app) ? null : app.name,
      role,
      invitedBy: member.session.email,
      link: invitationLink(baseUrl, mailedToken.token),
      expiresAt: expiresAt.getTime(),
    };
    const mailed = await record.mail(consoleApp, { kind: 'invitation', to: email, invitation });
    const link = invitationLink(baseUrl, shown.token);
    const answer = { ...serializeInvitation(row), email, link, mailed };
    await store(tx, answer);
    return answer;
  });
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
  call: TeamCall,
  ids: { appId: string; id: string },
): Promise<void> {
  const { actor, member } = call;
  const consoleAppId = (await deps.apps.console()).id;
  await change(deps, { app: { id: ids.appId }, actor }, async (tx) => {
    await lockTeamAsOwner(tx, { consoleAppId, appId: ids.appId }, call);
    if (!(await deleteInvitation(tx, ids))) throw new ApiError('console/invitation-not-found');
    const entry = { appId: ids.appId, actor, action: 'member.invitation_revoked' } as const;
    await writeTeamEntry(
      tx,
      deps,
      { consoleAppId, uid: member.uid },
      { ...entry, target: `invitation:${ids.id}` },
    );
  });
}

function serializeInvitation(row: InvitationRow): Invitation {
  return toWire(row, shownOfInvitation);
}
