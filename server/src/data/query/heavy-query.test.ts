// Queries that are as heavy as the limits allow: on records of a megabyte, by deep paths and long lists. Others get their
// turn beside them, and the time limit holds.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { asBackend, newCollection } from '../../../test/data-story.js';
import { cheapPasswordHasher, statementLog, type TestService, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { ApiError } from '../../lib/api-error.js';
import { queryTurns } from './query-turns.js';
import { runQuery } from './run-query.js';

const statements = statementLog();
let service: TestService;
let data: ReturnType<typeof asBackend>;
beforeAll(async () => {
  const passwordHasher = await cheapPasswordHasher();
  service = await testService({ onStatement: statements.onStatement, given: { passwordHasher } });
  data = asBackend(service);
});
afterAll(() => service.stop());

const isBatch = (sql: string) => sql.includes('AS MATERIALIZED');
const batchesIn = (sent: string[]) => sent.filter(isBatch);

const path = Array(18).fill('a').join('.');
const deepQuery = {
  where: Array.from({ length: 20 }, (_, i) => ({
    field: `${path}.k${i}`,
    op: '==' as const,
    value: i === 19 ? 2 : 1,
  })),
};

/** 18 levels deep, with twenty keys in the last. */
function deepFields(bytes: number): object {
  const keys = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 1]));
  let fields: object = { big: 'x'.repeat(bytes), ...keys };
  for (let i = 0; i < 18; i += 1) fields = { a: fields };
  return fields;
}

async function collectionOf(fields: object, count: number): Promise<string> {
  const name = await newCollection(service);
  for (let i = 0; i < count; i += 1) expect((await data.put(name, `r${i}`, fields)).status).toBe(201);
  return name;
}

const ask = (name: string, body: object) => data.call('POST', `${name}/query`, { body });

describe('queries as heavy as can be', () => {
  test('of thirty at once one begins, and a call of somebody else is answered beside it', async () => {
    const name = await collectionOf(deepFields(100), 1);
    const { tokens } = await service.signUp();
    const { query } = service.deps;
    let [lookups, batches, atOnce] = [0, 0, 0];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    service.deps.query = async (statement) => {
      if (statement.text.includes('FROM collections')) lookups += 1;
      if (!isBatch(statement.text)) return query(statement);
      batches += 1;
      atOnce = Math.max(atOnce, batches);
      await held;
      return query<never>(statement).finally(() => {
        batches -= 1;
      });
    };
    const answers = Array.from({ length: 30 }, () => ask(name, deepQuery));
    await vi.waitUntil(() => lookups === 30 && batches > 0, { timeout: 30_000 });
    expect((await service.call('GET', '/me', { token: tokens.access_token })).status).toBe(200);
    letGo();
    for (const { status } of await Promise.all(answers)) expect([200, 503]).toContain(status);
    service.deps.query = query;
    expect(atOnce).toBeLessThanOrEqual(2);
  });

  test('look at large records one by one', async () => {
    const name = await collectionOf(deepFields(1_040_000), 3);
    const sent = await statements.during(async () => {
      expect((await ask(name, deepQuery)).status).toBe(200);
    });
    expect(batchesIn(sent)).toHaveLength(3);
  });

  test('have a record parsed once, however many and deep their paths', async () => {
    const name = await collectionOf(deepFields(10), 1);
    const [sent = ''] = batchesIn(await statements.during(() => ask(name, deepQuery)));
    expect(sent.match(/fields::/g)).toEqual(['fields::', 'fields::']);
    expect(sent.match(/fields::jsonb/g)).toHaveLength(1);
    expect(sent).not.toContain('->');
  });

  test('are the only ones for which it is: few keys are looked for in its text', async () => {
    const name = await collectionOf({ n: 1, a: { b: 2 } }, 1);
    const where = (...fields: string[]) => ({ where: fields.map((field) => ({ field, op: '>', value: 0 })) });
    const sentFor = async (body: object) => batchesIn(await statements.during(() => ask(name, body)))[0];
    expect(await sentFor(where('n', 'a.b'))).not.toContain('fields::jsonb');
    expect(await sentFor(where('n', 'a.b', '$id'))).not.toContain('fields::jsonb');
    expect(await sentFor(where('n', 'a.b', 'a'))).toContain('fields::jsonb');
  });

  test('find what they should in long lists', async () => {
    const list = Array.from({ length: 19_000 }, (_, i) => i % 10);
    const name = await newCollection(service);
    await data.putAll(name, { a: { list: [...list, 'x'] }, b: { list: [...list, 'y'] }, c: { list: 'x' } });
    const contains = (op: string, value: unknown) => ({ field: 'list', op, value });
    const idsOf = async (body: object) =>
      (await data.call<{ items: { id: string }[] }>('POST', `${name}/query`, { body })).data.items.map(
        ({ id }) => id,
      );
    expect(await idsOf({ where: [contains('array-contains', 'x')] })).toEqual(['a']);
    const many = Array.from({ length: 29 }, (_, i) => `n${i}`);
    expect(await idsOf({ where: [contains('array-contains-any', [...many, 'y'])] })).toEqual(['b']);
    expect(await idsOf({ where: [contains('>', [0, 1, 2])] })).toEqual(['a', 'b']);
    const both = [contains('array-contains', 3), contains('array-contains', 'y')];
    expect(await idsOf({ where: both, orderBy: [{ field: 'list' }] })).toEqual(['b']);
    expect(await idsOf({ orderBy: [{ field: 'list', direction: 'desc' }] })).toEqual(['b', 'a', 'c']);
  });
});

describe('the time limit', () => {
  /** Each look at the time finds so many milliseconds gone. */
  const steps = (milliseconds: number) => {
    let passed = 0;
    return () => {
      passed += milliseconds;
      return passed;
    };
  };

  test('holds for a query of one batch too', async () => {
    const name = await collectionOf({ n: 1 }, 1);
    const { passwordHasher } = service.deps;
    const slow = await service.beside({ given: { elapsed: steps(3_000), passwordHasher } });
    expectRefusal(
      await asBackend(slow).call('POST', `${name}/query`, { body: { where: [] } }),
      'data/query-timeout',
    );
    await slow.stop();
  });

  const refused = () => Promise.reject(new ApiError('data/query-timeout'));
  test.each([
    ['no query begins without a quick turn', 0, { takeQuick: refused }, 'data/query-timeout'],
    ['one that takes long needs a long turn', 200, { takeLong: refused }, 'data/query-timeout'],
    ['any other needs none', 1, { takeLong: refused }, null],
  ])('%s', async (_, milliseconds, without, code) => {
    const name = await collectionOf({ n: 1 }, 2);
    const caller = { appId: service.app.app.id, who: 'backend', user: null } as const;
    const turns = { ...queryTurns('postgresql'), ...without };
    const { query, prisma } = service.deps;
    const deps = { ...service.deps, query, prisma, elapsed: steps(milliseconds) };
    const body = { where: [], orderBy: [{ field: 'n', direction: 'asc' as const }], limit: 10 };
    const answer = runQuery(deps, { turns, reserve: () => {} }, caller, name, body, '');
    if (code) await expect(answer).rejects.toMatchObject({ code });
    else expect((await answer).rows).toHaveLength(2);
  });

  // On the embedded database nothing ends a statement that has begun.
  testOnServer('is the same where the database ends the statement', async () => {
    const name = await collectionOf({ n: 1 }, 1);
    const { prisma } = service.database;
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE records IN ACCESS EXCLUSIVE MODE`;
      const answer = ask(name, { where: [] });
      await untilBlocked(service.database, 1);
      await tx.$queryRaw`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expectRefusal(await answer, 'data/query-timeout');
    });
  });
});
