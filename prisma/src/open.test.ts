// Both kinds of database behave alike; run with DATABASE_URL for PostgreSQL.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { isUnavailable, uniqueViolation } from './database-errors.js';
import { Prisma } from './generated/client.js';
import { openDatabase } from './open.js';
import { createTestDatabase, createTestPlace } from './testing.js';

const statements: string[] = [];
let database: Database;

beforeAll(async () => {
  database = await createTestDatabase({ onStatement: (sql) => statements.push(sql) });
});
afterAll(() => database.close());

const at = new Date('2026-11-21T12:00:00.123Z');

function newApp(changes: Partial<Prisma.AppCreateInput> = {}): Prisma.AppCreateInput {
  const id = randomUUID();
  return { id, slug: id, name: 'Example', appKey: id, createdAt: at, updatedAt: at, ...changes };
}

function insertApp(app: Prisma.AppCreateInput): Promise<number> {
  return database.prisma.$executeRaw`
    INSERT INTO apps (id, slug, name, app_key, created_at, updated_at)
    VALUES (${app.id}, ${app.slug}, ${app.name}, ${app.appKey}, ${app.createdAt}, ${app.updatedAt})`;
}

describe('values', () => {
  test('a value written through a model is read back unchanged', async () => {
    const app = newApp({
      allowedOrigins: ['https://a.example', 'quote " and, comma'],
      rateLimits: { client: [1, null] },
    });
    await database.prisma.app.create({ data: app });
    const found = await database.prisma.app.findUnique({ where: { id: app.id } });
    expect(found).toEqual({
      enabled: true,
      accessTokenSeconds: 3600,
      lastV1Id: 0,
      rateLimitFactors: {},
      settings: {},
      tokenAlgorithm: 'ES256',
      ...app,
    });
  });

  test('raw queries return every type that our tables contain', async () => {
    const [row] = await database.prisma.$queryRaw<object[]>`
      SELECT ${at}::timestamptz AS instant, array[${at}::timestamptz] AS instants, ${['a', 'b']}::text[] AS texts,
             ${Buffer.from([0, 255])}::bytea AS bytes, ${7}::int AS whole, 7::smallint AS small, true AS yes,
             ${null}::text AS nothing, ${{ a: [1] }}::jsonb AS json, count(*) AS big`;
    expect(row).toEqual({
      instant: at,
      instants: [at],
      texts: ['a', 'b'],
      bytes: new Uint8Array([0, 255]),
      whole: 7,
      small: 7,
      yes: true,
      nothing: null,
      json: { a: [1] },
      big: 1n,
    });
  });

  test('a timestamp is unchanged on a server with another time zone and another format of dates', async () => {
    const place = await createTestPlace();
    const first = await openDatabase(place);
    await first.connection(async ({ query, script }) => {
      const [row] = await query<{ name: string }>('SELECT current_database() AS name');
      await script(`ALTER DATABASE "${row!.name}" SET timezone = 'America/New_York'`);
      await script(`ALTER DATABASE "${row!.name}" SET datestyle = 'SQL, DMY'`);
    });
    await first.close();
    const second = await openDatabase(place);
    const [row] = await second.prisma.$queryRaw<object[]>`
      SELECT ${at}::timestamptz AS instant, extract(epoch FROM ${at}::timestamptz)::float8 AS seconds`;
    await second.close();
    await place.remove();
    expect(row).toEqual({ instant: at, seconds: at.getTime() / 1000 });
  });

  test('a plain connection returns its rows by column name', async () => {
    const rows = await database.connection(({ query }) =>
      query('SELECT x AS id, $1::text AS text FROM generate_series(1, 2) x', ['one']),
    );
    expect(rows).toEqual([
      { id: 1, text: 'one' },
      { id: 2, text: 'one' },
    ]);
  });
});

describe('statements', () => {
  test('a query is reported once, and its second run again', async () => {
    statements.length = 0;
    await database.prisma.$queryRaw`SELECT 'reported'`;
    await database.prisma.$queryRaw`SELECT 'reported'`;
    expect(statements).toEqual(["SELECT 'reported'", "SELECT 'reported'"]);
  });

  test('a transaction is reported with its BEGIN and COMMIT, and a failed one with its ROLLBACK', async () => {
    statements.length = 0;
    await database.prisma.$transaction(async (tx) => tx.$queryRaw`SELECT 1`);
    await expect(
      database.prisma.$transaction(async () => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(statements).toEqual(['BEGIN', 'SELECT 1', 'COMMIT', 'BEGIN', 'ROLLBACK']);
  });

  test('more texts than the prepared-statement limit all run', async () => {
    for (const i of [...Array(520).keys(), 0, 519]) {
      const rows = await database.prisma.$queryRawUnsafe(`SELECT ${i} AS i, $1::int AS given`, i);
      expect(rows).toEqual([{ i, given: i }]);
    }
  });
});

describe('transactions', () => {
  test('a failed transaction changes nothing', async () => {
    const app = newApp();
    await expect(
      database.prisma.$transaction(async (tx) => {
        await tx.app.create({ data: app });
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(await database.prisma.app.count({ where: { id: app.id } })).toBe(0);
  });

  test('a statement that fails in a transaction rolls it back, and the next one works', async () => {
    const app = newApp();
    const failing = database.prisma.$transaction(async (tx) => {
      await tx.app.create({ data: app });
      await tx.$queryRaw`SELECT nonsense`;
    });
    await expect(failing).rejects.toThrow('nonsense');
    await database.prisma.$transaction(async (tx) => tx.app.create({ data: app }));
    expect(await database.prisma.app.count({ where: { id: app.id } })).toBe(1);
  });

  test('a COMMIT that fails is an error', async () => {
    await database.connection(({ script }) =>
      script(
        `CREATE TABLE late (id int PRIMARY KEY, other int REFERENCES late (id) DEFERRABLE INITIALLY DEFERRED)`,
      ),
    );
    const failing = database.prisma.$transaction((tx) => tx.$executeRaw`INSERT INTO late VALUES (1, 2)`);
    await expect(failing).rejects.toThrow('ForeignKeyConstraintViolation');
  });

  test('concurrent calls each get their own answer, inside and outside transactions', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 4 === 0
          ? database.prisma.$transaction((tx) => tx.$queryRaw`SELECT ${i}::int AS i`)
          : database.prisma.$queryRaw`SELECT ${i}::int AS i`,
      ),
    );
    expect(answers).toEqual(Array.from({ length: 40 }, (_, i) => [{ i }]));
  });

  test('more rows than fit in one statement are written together or not at all', async () => {
    const rows = Array.from({ length: 4_800 }, (_, i) => ({
      appId: 'many',
      id: String(i),
      type: 'user.created',
      uid: 'nobody',
      data: {},
      createdAt: new Date(),
    }));
    const where = { appId: 'many' };
    const twice = database.prisma.event.createMany({ data: [...rows, rows[0]!] });
    await expect(twice).rejects.toMatchObject({ code: 'P2002' });
    expect(await database.prisma.event.count({ where })).toBe(0);
    expect(await database.prisma.event.createMany({ data: rows })).toEqual({ count: 4_800 });
  });

  test('a transaction that cannot start does not block the next', async () => {
    const connections = database.kind === 'embedded' ? 1 : 10;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holders = Array.from({ length: connections }, () =>
      database.prisma.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        await held;
      }),
    );
    const impatient = database.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1`, { maxWait: 50 });
    const error = await impatient.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'P2028' });
    expect(isUnavailable(error)).toBe(true);
    release();
    await Promise.all(holders);
    expect(await database.prisma.$transaction((tx) => tx.$queryRaw`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });
});

describe('errors', () => {
  test('a duplicate row is reported by the name of its constraint, through models and raw queries', async () => {
    const app = newApp();
    await database.prisma.app.create({ data: app });
    const again = newApp({ slug: app.slug });
    const byModel = await database.prisma.app.create({ data: again }).catch((caught: unknown) => caught);
    const byQuery = await insertApp(again).catch((caught: unknown) => caught);
    expect(uniqueViolation(byModel)).toBe('apps_slug_key');
    expect(uniqueViolation(byQuery)).toBe('apps_slug_key');
    expect(isUnavailable(byQuery)).toBe(false);
    expect(await insertApp(newApp())).toBe(1);
  });

  test('the constraint of a part of a distributed table has the name of the whole', () => {
    const message = 'duplicate key value violates unique constraint "users_app_id_email_key_102008"';
    expect(uniqueViolation({ code: '23505', constraint: 'users_app_id_email_key_102008' })).toBe(
      'users_app_id_email_key',
    );
    expect(uniqueViolation({ code: 'XX000', message })).toBe('users_app_id_email_key');
  });

  test('the name of a constraint does not depend on the language of the server', () => {
    const message = 'doppelter Schlüsselwert verletzt Unique-Constraint »apps_slug_key«';
    const cause = { originalCode: '23505', originalMessage: message, constraint: { index: 'apps_slug_key' } };
    expect(uniqueViolation({ code: 'P2002', meta: { driverAdapterError: { cause } } })).toBe('apps_slug_key');
    expect(uniqueViolation({ code: '23505', message, constraint: 'apps_slug_key' })).toBe('apps_slug_key');
  });

  test('a wrong query is neither a unique violation nor an unreachable database', async () => {
    const error = await database.prisma.$queryRaw`SELECT nonsense`.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Prisma.PrismaClientKnownRequestError);
    expect(uniqueViolation(error)).toBe(null);
    expect(isUnavailable(error)).toBe(false);
  });

  test('a closed database counts as unreachable', async () => {
    const closed = await createTestDatabase();
    await closed.close();
    const error = await closed.prisma.$queryRaw`SELECT 1`.catch((caught: unknown) => caught);
    expect(isUnavailable(error)).toBe(true);
  });
});
