// The audit entries of changes of a team, made by a member.
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';

type Entry = Omit<Parameters<typeof writeAuditEntry>[2], 'uid'>;

/**
 * In the log of the app `console` the member is a user: the entry names the user, so that the deletion of the account clears the
 * IP address, as in every log of users.
 */
export function writeTeamEntry(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  { consoleAppId, uid }: { consoleAppId: string; uid: string },
  entry: Entry,
): Promise<void> {
  return writeAuditEntry(tx, deps, { ...entry, ...(entry.appId === consoleAppId && { uid }) });
}
