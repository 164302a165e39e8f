// Waits until statements wait for a lock, for tests of what follows such a wait.
import type { Database } from '@foyer/prisma';
import { test, vi } from 'vitest';
import { needsConnections } from './expected-skips.js';

/**
 * Counts the statements that contain `text`. The embedded database has one connection, so no statement ever waits for a lock
 * there.
 */
export async function untilBlocked(database: Database, statements: number, text = ''): Promise<void> {
  if (database.kind === 'embedded') return;
  const ask = (sql: string, ...values: string[]) =>
    database.prisma.$queryRawUnsafe<{ count: number }[]>(sql, ...values);
  const onCitus = process.env.FOYER_TEST_CITUS_WORKERS !== undefined;
  await vi.waitUntil(
    async () => {
      const [row] = await (onCitus ? ask(waitingOnNodes) : ask(waiting, text));
      return row?.count === statements;
    },
    { timeout: 60_000, interval: 20 },
  );
}

const waitingOf = (condition: string) => `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'${condition}`;
const waiting = waitingOf(' AND position($1 IN query) > 0');
// A node has statements of its own for what the coordinator was sent.
const waitingOnNodes = `SELECT sum(result::int)::int AS count FROM run_command_on_all_nodes($$${waitingOf('')}$$)`;

/** Tests calls that wait for a row lock. The note is the reason for which a strict run accepts the skip. */
export const testOnServer = test.extend<{ server: undefined }>({
  server: [
    async ({ skip }, use) => {
      skip(!process.env.DATABASE_URL, needsConnections);
      await use(undefined);
    },
    { auto: true },
  ],
});

/**
 * Calls that change one account, each started once the previous one waits for the user's row: all have passed the guard
 * when the first completes, and they complete in this order.
 */
export async function oneAfterAnother<T extends unknown[]>(
  database: Database,
  uid: string,
  calls: { [Place in keyof T]: () => Promise<T[Place]> },
): Promise<T> {
  const begun: Promise<unknown>[] = [];
  await database.prisma.$transaction(
    async (tx) => {
      const { appId } = await tx.user.findFirstOrThrow({ where: { id: uid } });
      await tx.$executeRaw`SELECT FROM users WHERE app_id = ${appId} AND id = ${uid} FOR UPDATE`;
      for (const call of calls) {
        begun.push(call());
        await untilBlocked(database, begun.length);
      }
      // A busy machine takes longer than a transaction of the service may.
    },
    { timeout: 60_000 },
  );
  return Promise.all(begun) as Promise<T>;
}
