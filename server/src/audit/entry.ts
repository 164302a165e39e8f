// An entry of the audit log, written by the transaction that it speaks of.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { insertAuditEntry } from './store.js';

/** Who did it: `user:<uid>`, `secret_key:<id>`, or the command line. */
export type Actor = { name: string; ipAddress: string | null };

export const commandLine: Actor = { name: 'command_line', ipAddress: null };

export type AuditEntry = {
  appId: string;
  actor: Actor;
  action: string;
  target: string;
  /** The user the entry speaks of, whose address is forgotten with the account. */
  userId?: string;
  /** Never a secret, an email or a name. */
  details?: Record<string, unknown>;
};

/** Writes an entry in the transaction of what it speaks of. */
export function writeAuditEntry(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  entry: AuditEntry,
): Promise<void> {
  const now = deps.clock.now();
  return insertAuditEntry(tx, { ...entry, id: deps.random.ulid(now), now });
}
