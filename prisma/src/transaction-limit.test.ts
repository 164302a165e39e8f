// Transactions that wait for a row leave connections to single statements.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { isUnavailable } from './database-errors.js';
import { openDatabase } from './open.js';
import { createTestPlace, type TestPlace } from './testing.js';

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  let place: TestPlace;
  let database: Database;

  beforeEach(async () => {
    place = await createTestPlace();
    database = await openDatabase({ ...place, connections: 5 });
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  /** Transactions that end when they are told to. */
  function heldTransactions(count: number) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let running = 0;
    const all = Array.from({ length: count }, (_, number) =>
      database.prisma.$transaction(async (tx) => {
        running += 1;
        await released;
        return tx.$queryRaw<[{ number: number }]>`SELECT ${number}::int AS number`;
      }),
    );
    return { all, release, running: () => running };
  }

  test('one connection in five is never held by a transaction, so that single statements run', async () => {
    const held = heldTransactions(20);
    await expect.poll(held.running).toBe(4);
    for (const isQuick of [true, false]) {
      expect(await database.query({ text: 'SELECT 1 AS one', values: [], isQuick })).toEqual([{ one: 1 }]);
    }
    expect(await database.prisma.$queryRaw`SELECT 2 AS two`).toEqual([{ two: 2 }]);
    expect(held.running()).toBe(4);
    held.release();
    expect((await Promise.all(held.all)).map(([row]) => row.number)).toEqual([...Array(20).keys()]);
  });

  test('a transaction that waits too long fails like one without a connection, and the next one runs', async () => {
    const held = heldTransactions(4);
    await expect.poll(held.running).toBe(4);
    const late = await database.prisma
      .$transaction(async () => 'late', { maxWait: 50 })
      .catch((error) => error);
    expect(isUnavailable(late)).toBe(true);
    held.release();
    await Promise.all(held.all);
    const again = heldTransactions(4);
    await expect.poll(again.running).toBe(4);
    again.release();
    await Promise.all(again.all);
  });
});
