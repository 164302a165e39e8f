// An entry of the audit log, written by the statement or transaction that it speaks of. Open to all rooms, like the outbox.
import { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';

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

export function auditEntry(deps: Pick<Deps, 'clock' | 'random'>, entry: AuditEntry): Prisma.Sql {
  const now = deps.clock.now();
  const details = JSON.stringify(entry.details ?? {});
  return Prisma.sql`INSERT INTO audit_log (app_id, id, actor, action, target, user_id, ip_address, details, created_at)
    VALUES (${entry.appId}, ${deps.random.ulid(now)}, ${entry.actor.name}, ${entry.action}, ${entry.target},
      ${entry.userId ?? null}, ${entry.actor.ipAddress}, ${details}::jsonb, ${now}::timestamptz)`;
}
