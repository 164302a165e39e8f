// Waits until statements wait for a lock, for tests of what comes out of that wait.
import type { Database } from '@foyer/prisma';
import { test, vi } from 'vitest';

/** The embedded database has one connection, so there nothing ever waits inside a statement. */
export async function untilBlocked(database: Database, statements: number): Promise<void> {
  if (database.kind === 'embedded') return;
  await vi.waitUntil(
    async () => {
      const [row] = await database.prisma.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row?.count === statements;
    },
    { timeout: 15_000, interval: 20 },
  );
}

/** For tests of what happens while a call waits for a row: they need a database that several calls use at once. */
export const testOnServer = test.skipIf(!process.env.DATABASE_URL);

/**
 * Calls that change one account, each begun once the one before it waits for the user's row: all of them have passed the
 * guard when the first is done, and they are done in this order.
 */
export async function oneAfterAnother<T extends unknown[]>(
  database: Database,
  uid: string,
  calls: { [Place in keyof T]: () => Promise<T[Place]> },
): Promise<T> {
  const begun: Promise<unknown>[] = [];
  await database.prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT FROM users WHERE id = ${uid} FOR UPDATE`;
      for (const call of calls) {
        begun.push(call());
        await untilBlocked(database, begun.length);
      }
      // On a busy machine it takes longer than a transaction of the service may.
    },
    { timeout: 60_000 },
  );
  return Promise.all(begun) as Promise<T>;
}
