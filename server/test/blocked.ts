// Waits until statements wait for a lock, for tests of what comes out of that wait.
import type { Database } from '@foyer/prisma';
import { vi } from 'vitest';

/** The embedded database has one connection, so there nothing ever waits inside a statement. */
export async function untilBlocked(database: Database, statements: number): Promise<void> {
  if (database.kind === 'embedded') return;
  await vi.waitUntil(async () => {
    const [row] = await database.prisma.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row?.count === statements;
  });
}
