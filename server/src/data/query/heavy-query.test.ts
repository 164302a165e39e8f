// The most expensive queries that the limits allow: records of a megabyte, deep paths, long lists. Other requests are served
// meanwhile, and the time limit applies.
import { describe, expect, test, vi } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { asBackend, asking, elapsedBy, insertRecords, newCollection } from '../../../test/data-scenario.js';
import { statementLog, testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { ApiError } from '../../lib/api-error.js';
import { commandLine } from '../../model/actor.js';
import { queryRecords } from '../records/read-record.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
const data = asBackend(service);

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

const { ask, idsOf } = asking(() => service);

describe('the most expensive queries', () => {
  test('run at most two of thirty at a time, and another request is answered meanwhile', async () => {
    const name = await collectionOf(deepFields(100), 1);
    const { tokens } = await service.signUp();
    const { query } = service.deps;
    let [lookups, batches, atOnce] = [0, 0, 0];
    let unblock = () => {};
    const blocked = new Promise<void>((resolve) => {
      unblock = resolve;
    });
    service.deps.query = async (statement) => {
      if (statement.text.includes('FROM collections')) lookups += 1;
      if (!isBatch(statement.text)) return query(statement);
      batches += 1;
      atOnce = Math.max(atOnce, batches);
      await blocked;
      return query<never>(statement).finally(() => {
        batches -= 1;
      });
    };
    const answers = Array.from({ length: 30 }, () => ask(name, deepQuery));
    await vi.waitUntil(() => lookups === 30 && batches > 0, { timeout: 60_000 });
    expect((await service.call('GET', '/me', { token: tokens.access_token })).status).toBe(200);
    unblock();
    for (const { status } of await Promise.all(answers)) expect([200, 503]).toContain(status);
    service.deps.query = query;
    expect(atOnce).toBeLessThanOrEqual(2);
  });

  test('load large records one by one', async () => {
    const name = await collectionOf(deepFields(1_040_000), 3);
    const sent = await statements.during(async () => {
      expect((await ask(name, deepQuery)).status).toBe(200);
    });
    expect(batchesIn(sent)).toHaveLength(3);
  });

  test('parse a record once, however many and deep their paths', async () => {
    const name = await collectionOf(deepFields(10), 1);
    const [sent = ''] = batchesIn(await statements.during(() => ask(name, deepQuery)));
    expect(sent.match(/fields::/g)).toEqual(['fields::', 'fields::']);
    expect(sent.match(/fields::jsonb/g)).toHaveLength(1);
    expect(sent).not.toContain('->');
  });

  test('extract a few keys from the text without parsing the record', async () => {
    const name = await collectionOf({ n: 1, a: { b: 2 } }, 1);
    const where = (...fields: string[]) => ({ where: fields.map((field) => ({ field, op: '>', value: 0 })) });
    const sentFor = async (body: object) => batchesIn(await statements.during(() => ask(name, body)))[0];
    expect(await sentFor(where('n', 'a.b'))).not.toContain('fields::jsonb');
    expect(await sentFor(where('n', 'a.b', '$id'))).not.toContain('fields::jsonb');
    expect(await sentFor(where('n', 'a.b', 'a'))).toContain('fields::jsonb');
  });

  test('find matches in long arrays', async () => {
    const list = Array.from({ length: 19_000 }, (_, i) => i % 10);
    const name = await newCollection(service);
    await data.putAll(name, { a: { list: [...list, 'x'] }, b: { list: [...list, 'y'] }, c: { list: 'x' } });
    const contains = (op: string, value: unknown) => ({ field: 'list', op, value });
    expect(await idsOf(name, { where: [contains('array-contains', 'x')] })).toEqual(['a']);
    const many = Array.from({ length: 29 }, (_, i) => `n${i}`);
    expect(await idsOf(name, { where: [contains('array-contains-any', [...many, 'y'])] })).toEqual(['b']);
    expect(await idsOf(name, { where: [contains('>', [0, 1, 2])] })).toEqual(['a', 'b']);
    const both = [contains('array-contains', 3), contains('array-contains', 'y')];
    expect(await idsOf(name, { where: both, orderBy: [{ field: 'list' }] })).toEqual(['b']);
    expect(await idsOf(name, { orderBy: [{ field: 'list', direction: 'desc' }] })).toEqual(['b', 'a', 'c']);
  });
});

test.each([
  ['records', 9, 'candidates', [100, 200, 400, 800, 400, 200, 100, 100, 100, 200]],
  // Each of half the bytes of the first batch.
  ['bytes', 32 * 1_024, 'loaded', [2, 4, 8, 16, 8, 4, 2, 2, 2, 4]],
])(
  'a batch has twice the %s of one that was quick, and half of one that was slow, but not fewer than the first',
  async (_, bytes, counted, sizes) => {
    const name = await newCollection(service);
    await insertRecords(service, name, 2_700, { bytes });
    const caller = { app: service.app.app, actor: commandLine, who: 'backend', user: null } as const;
    const times = [7, 7, 7, 21, 21, 21, 21, 8, 7, 20];
    const found: number[] = [];
    let now = 0;
    const { query } = service.deps;
    const ended = new Error('enough');
    const timed: typeof query = async (statement) => {
      if (!isBatch(statement.text)) return query<never>(statement);
      const [milliseconds] = times.splice(0, 1);
      if (milliseconds === undefined) throw ended;
      const rows = await query<never>(statement);
      found.push((rows as Record<string, number>[])[0]?.[counted] as number);
      now += milliseconds;
      return rows;
    };
    const deps = { ...service.deps, query: timed, elapsed: () => now };
    const resources = { takeTurn: async () => () => {}, reserve: () => {} };
    const input = { where: [], orderBy: [{ field: 'n', direction: 'desc' as const }], limit: 10 };
    const answer = queryRecords(deps, resources, caller, { collection: name, input, text: '' });
    await expect(answer).rejects.toBe(ended);
    expect(found).toEqual(sizes);
  },
);

describe('the time limit', () => {
  test('applies to a query of one batch too', async () => {
    const name = await collectionOf({ n: 1 }, 1);
    const slow = await service.secondInstance({ overrides: { elapsed: elapsedBy(3_000) } });
    const answer = await asBackend(slow).call('POST', `${name}/query`, { body: { where: [] } });
    expectRefusal(answer, 'data/query-timeout');
    await slow.stop();
  });

  test.each([
    ['no query starts without a turn', 0, 'short-query', 'data/query-timeout'],
    ['a long query needs a turn for long ones', 200, 'long-query', 'data/query-timeout'],
    ['a short query needs no turn for long ones', 1, 'long-query', null],
  ])('%s', async (_, milliseconds, refused, code) => {
    const name = await collectionOf({ n: 1 }, 2);
    const caller = { app: service.app.app, actor: commandLine, who: 'backend', user: null } as const;
    const takeTurn = async (work: string) => {
      if (work === refused) throw new ApiError('data/query-timeout');
      return () => {};
    };
    const { query, prisma } = service.deps;
    const deps = { ...service.deps, query, prisma, elapsed: elapsedBy(milliseconds) };
    const body = { where: [], orderBy: [{ field: 'n', direction: 'asc' as const }], limit: 10 };
    const answer = queryRecords(deps, { takeTurn, reserve: () => {} }, caller, {
      collection: name,
      input: body,
      text: '',
    });
    if (code) await expect(answer).rejects.toMatchObject({ code });
    else expect((await answer).rows).toHaveLength(2);
  });

  test.each([
    ['that ends after five seconds is answered', 1, 5_000, 1, null],
    ['that ends a millisecond later is refused', 1, 5_001, 1, 'data/query-timeout'],
    [
      'of three batches is refused after the second, which ends too late',
      250,
      2_501,
      2,
      'data/query-timeout',
    ],
    ['of three batches that end in time is answered', 250, 1_600, 3, null],
  ])('a query %s', async (_, records, milliseconds, batches, code) => {
    const name = await newCollection(service);
    await insertRecords(service, name, records);
    const caller = { app: service.app.app, actor: commandLine, who: 'backend', user: null } as const;
    let now = 0;
    let sent = 0;
    const { query } = service.deps;
    const timed: typeof query = async (statement) => {
      const rows = await query<never>(statement);
      if (isBatch(statement.text)) [now, sent] = [now + milliseconds, sent + 1];
      return rows;
    };
    const deps = { ...service.deps, query: timed, elapsed: () => now };
    const resources = { takeTurn: async () => () => {}, reserve: () => {} };
    const body = { where: [], orderBy: [{ field: 'n', direction: 'asc' as const }], limit: 10 };
    const answer = queryRecords(deps, resources, caller, {
      collection: name,
      input: body,
      text: '',
    }).catch((error) => error.code);
    expect(typeof (await answer) === 'string' ? await answer : null).toBe(code);
    expect(sent).toBe(batches);
  });

  test('applies to the counting of the rows of an index too, however many values are counted', async () => {
    const name = await newCollection(service, { indexed_fields: ['n', 'm'] });
    const caller = { app: service.app.app, actor: commandLine, who: 'backend', user: null } as const;
    let now = 0;
    let counts = 0;
    const { query } = service.deps;
    const timed: typeof query = async (statement) => {
      if (statement.text.includes('AS counted')) [now, counts] = [now + 1_000, counts + 1];
      return query<never>(statement);
    };
    const deps = { ...service.deps, query: timed, elapsed: () => now };
    const resources = { takeTurn: async () => () => {}, reserve: () => {} };
    const where = [{ field: 'n', op: 'in' as const, value: Array.from({ length: 10 }, (_, n) => n) }];
    const orderBy = [{ field: 'm', direction: 'asc' as const }];
    const input = { where, orderBy, limit: 10 };
    const answer = queryRecords(deps, resources, caller, { collection: name, input, text: '' });
    await expect(answer).rejects.toMatchObject({ code: 'data/query-timeout' });
    expect(counts).toBe(6);
  });

  test('is not the reason that is given for another failure of a statement', async () => {
    const name = await newCollection(service);
    const caller = { app: service.app.app, actor: commandLine, who: 'backend', user: null } as const;
    const failure = new Error('the records cannot be read');
    const { query } = service.deps;
    const failing: typeof query = (statement) =>
      isBatch(statement.text) ? Promise.reject(failure) : query(statement);
    const deps = { ...service.deps, query: failing };
    const resources = { takeTurn: async () => () => {}, reserve: () => {} };
    const input = { where: [], orderBy: [], limit: 10 };
    const answer = queryRecords(deps, resources, caller, { collection: name, input, text: '' });
    await expect(answer).rejects.toBe(failure);
  });

  // The embedded database cannot cancel a running statement.
  testOnServer('answers the same where the database cancels the statement', async () => {
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
