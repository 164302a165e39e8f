// `Database.query` and `numbered`, on both kinds of database alike; run with DATABASE_URL for PostgreSQL.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from './database.js';
import { isUnavailable, uniqueViolation } from './database-errors.js';
import { Prisma } from './generated/client.js';
import { numbered } from './numbered.js';
import { createTestDatabase } from './testing.js';

const statements: string[] = [];
let database: Database;

beforeAll(async () => {
  database = await createTestDatabase({ onStatement: (sql) => statements.push(sql) });
});
afterAll(() => database.close());

const at = new Date('2026-11-21T12:00:00.123Z');

test.each([
  { name: 'a query', isQuick: false },
  { name: 'the first quick query', isQuick: true },
  { name: 'the second quick query', isQuick: true },
])('$name returns every type that our tables contain', async ({ isQuick }) => {
  const { text, values } =
    Prisma.sql`SELECT ${at}::timestamptz AS instant, ${['a', 'b, "c"']}::text[] AS texts,
      ${Buffer.from([0, 255])}::bytea AS bytes, ${7}::int AS whole, 7::smallint AS small, ${true}::boolean AS yes,
      ${null}::text AS nothing, '{"a": [1]}'::jsonb AS json, count(*)::int AS big`;
  const rows = await database.query({ text, values, isQuick });
  const [{ bytes, ...rest }] = rows as [{ bytes: Uint8Array }];
  expect([...bytes]).toEqual([0, 255]);
  expect(rest).toEqual({
    instant: at,
    texts: ['a', 'b, "c"'],
    whole: 7,
    small: 7,
    yes: true,
    nothing: null,
    json: { a: [1] },
    big: 1,
  });
});

test('a numbered statement sends each value once, regardless of their order', async () => {
  const statement = numbered<{ left: number; right: number }>(
    { left: 'int', right: 'int' },
    ({ left, right }) => Prisma.sql`SELECT ${right} - ${left} AS less, ${left} * ${left} AS square`,
  );
  const made = statement({ right: 5, left: 3 });
  expect(made.values).toEqual([3, 5]);
  expect(made.text).toBe(statement({ left: 1, right: 2 }).text);
  expect(await database.query(made)).toEqual([{ less: 2, square: 9 }]);
});

test('a query is reported, once', async () => {
  statements.length = 0;
  await database.query(Prisma.sql`SELECT ${1}::int AS one`);
  expect(statements).toEqual(['SELECT $1::int AS one']);
});

test.each<[string, string[]]>([
  ['55000', ['CREATE SEQUENCE never_used', "SELECT currval('never_used')"]],
  ['25006', ['SET TRANSACTION READ ONLY', 'CREATE TABLE refused (id int)']],
])('a statement that fails with SQLSTATE %s may be retried', async (_code, statements) => {
  const [first = '', second = ''] = statements;
  const error = await database.prisma
    .$transaction(async (tx) => {
      await tx.$executeRawUnsafe(first);
      await tx.$executeRawUnsafe(second);
    })
    .catch((thrown: unknown) => thrown);
  expect(isUnavailable(error), String(error)).toBe(true);
});

test('a query that violates a constraint names it, and the database serves the next', async () => {
  const insert = () =>
    database.query(Prisma.sql`INSERT INTO apps (id, slug, name, app_key, created_at, updated_at)
      VALUES ('same', 'same', 'Same', 'same', ${at}, ${at})`);
  await insert();
  const error = await insert().catch((thrown: unknown) => thrown);
  expect(uniqueViolation(error)).toBe('apps_pkey');
  expect(isUnavailable(error)).toBe(false);
  expect(await database.query(Prisma.sql`SELECT count(*)::int AS apps FROM apps`)).toEqual([{ apps: 1 }]);
});
