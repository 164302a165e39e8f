// Links that create an owner of the service: at each start without an owner, and on the command line. A new link ends the one
// before.
import { limits } from '@foyer/contract';
import { ensureConsoleApp } from '../../apps/console-app.js';
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import { hourMilliseconds } from '../../lib/timestamp.js';
import { type Actor, commandLine, theService } from '../../model/actor.js';
import { countMembers, lockTeam } from '../store.js';
import { invitationLink, newInvitationToken } from './invitation-token.js';
import { deleteInvitationsOf, insertInvitation } from './store.js';

type LinkDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>;

/** Returns null if the service has an owner. Of several instances that start at once, the link of the last one is valid. */
export function firstOwnerLink(deps: LinkDeps, baseUrl: string): Promise<string | null> {
  return createLink(deps, baseUrl, theService, (owners) => owners === 0);
}

export async function ownerLink(deps: LinkDeps, baseUrl: string): Promise<string> {
  return (await createLink(deps, baseUrl, commandLine, () => true)) as string;
}

async function createLink(
  deps: LinkDeps,
  baseUrl: string,
  actor: Actor,
  isWanted: (owners: number) => boolean,
): Promise<string | null> {
  const { id: appId } = await ensureConsoleApp(deps);
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + limits.invitationHours.firstOwner * hourMilliseconds);
  const id = deps.random.ulid(createdAt);
  const { token, hash: tokenHash } = newInvitationToken(deps);
  const created = await change(deps, { app: { id: appId }, actor }, async (tx, record) => {
    await lockTeam(tx, appId);
    if (!isWanted(await countMembers(tx, appId))) return false;
    await deleteInvitationsOf(tx, appId, null);
    const row = { appId, id, email: null, role: 'owner', createdAt, expiresAt } as const;
    await insertInvitation(tx, { ...row, tokenHash, mailTokenHash: null, invitedBy: null });
    const target = `invitation:${id}`;
    const details = { role: 'owner' };
    await record.audit({ action: 'member.invited', target, details });
    return true;
  });
  return created ? invitationLink(baseUrl, token) : null;
}
