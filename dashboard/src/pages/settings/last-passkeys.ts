// The setting `passkeys` before it was switched off, from the audit log: the setting itself is then null, and passkeys work
// again with the same domain only.
import '../../schemas-under-csp.ts';
import { type AuditEntry, PasskeySettings } from '@foyer/contract';

type Passkeys = NonNullable<PasskeySettings>;

/** Of entries, newest first; null if the change is not among them. The log cuts long values: such a one is not used. */
export function lastPasskeys(entries: readonly Pick<AuditEntry, 'details'>[]): Passkeys | null {
  for (const { details } of entries) {
    const changes = (details.changes ?? {}) as Record<string, { from?: unknown }>;
    if (!changes.passkeys) continue;
    const read = PasskeySettings.safeParse(changes.passkeys.from);
    return read.success ? read.data : null;
  }
  return null;
}
