// What every change of a team requires: its lock, an owner as the caller, and a role that the team has.
import type { Role } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { ApiError } from '../lib/api-error.js';
import type { TeamCall } from '../model/call.js';
import { lockOwner, lockTeam } from './store.js';

/** Members of the app `console` own the service; it has no other roles. */
export function requireRoleOfTeam(ids: { consoleAppId: string; appId: string }, role: Role): void {
  if (ids.appId !== ids.consoleAppId || role === 'owner') return;
  const fields = { role: ['must be owner for the app `console`'] };
  throw new ApiError('request/validation-failed', { fields });
}

export async function lockTeamAsOwner(
  tx: Tx,
  { consoleAppId, appId }: { consoleAppId: string; appId: string },
  { member }: TeamCall,
): Promise<void> {
  await lockTeam(tx, appId);
  if (!(await lockOwner(tx, [consoleAppId, appId], member.uid)))
    throw new ApiError('console/insufficient-role');
}
