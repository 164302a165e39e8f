// Loyalty over HTTP: status, history and ledger, also under concurrency.
import type { Query } from '@foyer/prisma';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, statementLog, type TestUser, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { commandLine } from '../model/actor.js';
import { addEntry } from './add-entry.js';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape.
type Any = any;
type Came = Answer<Any>;
const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));
let user: TestUser;
beforeAll(async () => {
  const silver = { tier: 'silver', min_points: 1_000 };
  await service.changeSettings({ tiers: [{ tier: 'member', min_points: 0 }, silver] });
});
beforeEach(async () => {
  user = await service.signUp();
});

const mine = (path: string): Promise<Came> => service.call('GET', path, { token: user.tokens.access_token });
const ledger = (uid = user.uid) => `/admin/users/${uid}/loyalty/entries`;
const add = (points: unknown, reference?: string | null, more: object = {}): Promise<Came> =>
  service.call('POST', ledger(), {
    token: service.app.secretKey,
    body: { points, description: 'Points', ...(reference !== undefined && { reference }), ...more },
  });
const balance = async () => (await mine('/me/loyalty')).data.points;

/** All entries of the history, read page by page. */
async function history(limit: number, between: () => Promise<unknown> = async () => {}): Promise<Any[]> {
  const items: Any[] = [];
  let cursor: string | null = null;
  do {
    const page: Came = await mine(
      `/me/loyalty/history?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    expect(page.status).toBe(200);
    items.push(...page.data.items);
    cursor = page.data.next_cursor;
    await between();
  } while (cursor !== null);
  return items;
}

test('the backend reads the same points and tier as the user, and none of a user who is not there', async () => {
  await add(1_500);
  const status = (uid: string): Promise<Came> =>
    service.call('GET', `/admin/users/${uid}/loyalty`, { token: service.app.secretKey });
  expect((await status(user.uid)).data).toEqual((await mine('/me/loyalty')).data);
  expectRefusal(await status(service.app.app.id), 'auth/user-not-found');
});

test('the idempotent response is stored with the points, in one transaction: a crash duplicates nothing', async () => {
  const options = {
    token: service.app.secretKey,
    headers: { 'idempotency-key': 'one' },
    body: { points: 5, description: 'Points' },
  };
  const post = () => service.call('POST', ledger(), options);
  const sent = await statements.during(post);
  expect(sent.join('\n')).toMatch(
    /^BEGIN.*INSERT INTO loyalty_entries.*UPDATE idempotency_keys SET answer.*^COMMIT/ms,
  );
  expect((await post()).headers.get('idempotent-replayed')).toBe('true');
  expect(await balance()).toBe(5);
});

test('concurrent requests with one reference and different idempotency keys create one entry', async () => {
  const token = service.app.secretKey;
  const body = { points: 7, description: 'Points', reference: 'order' };
  const keys = Array.from({ length: 10 }, (_, i) => ({ 'idempotency-key': `each-${i}` }));
  const came = await Promise.all(
    keys.map((headers) => service.call('POST', ledger(), { token, headers, body })),
  );
  expect(came.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
  expect(await balance()).toBe(7);
});

test('a new user has no points, the lowest tier, a member id and an empty history', async () => {
  const status = await mine('/me/loyalty');
  expect(status.data).toEqual({
    member_id: expect.stringMatching(/^[1-9]\d{9}$/),
    points: 0,
    tier: 'member',
    next_tier: { tier: 'silver', points_needed: 1_000 },
  });
  expect(status.headers.get('cache-control')).toBe('no-store');
  expect((await mine('/me/loyalty/history')).data).toEqual({ items: [], next_cursor: null });
});

test('adding and subtracting points updates the balance and the tier', async () => {
  const { member_id } = (await mine('/me/loyalty')).data;
  const first = await add(1_000, 'order-1', { description: 'Welcome' });
  expect([first.status, first.data]).toEqual([
    201,
    {
      entry: {
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        points: 1_000,
        description: 'Welcome',
        reference: 'order-1',
        created_at: `${service.clock.now().toISOString().slice(0, -1)}000Z`,
      },
      loyalty: { member_id, points: 1_000, tier: 'silver', next_tier: null },
    },
  ]);
  expect((await add(-1)).data).toMatchObject({
    entry: { points: -1, reference: null },
    loyalty: { points: 999, tier: 'member', next_tier: { tier: 'silver', points_needed: 1 } },
  });
  expect((await mine('/me/loyalty')).data.points).toBe(999);
  const { items } = (await mine('/me/loyalty/history')).data;
  const { reference, ...shown } = first.data.entry;
  expect(items).toEqual([expect.objectContaining({ points: -1 }), shown]);
  const listed: Came = await service.call('GET', ledger(), { token: service.app.secretKey });
  expect(listed.data.items[1]).toEqual(first.data.entry);
});

describe('the limits', () => {
  test('a balance is never below zero', async () => {
    await add(10);
    expectRefusal(await add(-11), 'loyalty/insufficient-points');
    expect((await add(-10)).status).toBe(201);
    expectRefusal(await add(-1), 'loyalty/insufficient-points');
    expect(await history(25)).toHaveLength(2);
  });

  test('a balance is never above 1,000,000,000', async () => {
    expect((await add(1_000_000_000)).status).toBe(201);
    expectRefusal(await add(1), 'loyalty/balance-too-high');
    expectRefusal(await add(1_000_000_000), 'loyalty/balance-too-high');
    expect((await add(-1_000_000_000)).data.loyalty.points).toBe(0);
  });

  test('points are whole numbers other than 0, up to 1,000,000,000 in either direction', async () => {
    for (const points of [0, -0, 1.5, 1_000_000_001, -1_000_000_001, 2 ** 31, '5', null, undefined]) {
      expectRefusal(await add(points), 'request/validation-failed', { points: [expect.any(String)] });
    }
  });

  test('descriptions and references have 1 to 255 characters', async () => {
    for (const [field, value] of [
      ['description', ''],
      ['description', '😀'.repeat(256)],
      ['description', null],
      ['reference', ''],
      ['reference', '😀'.repeat(256)],
    ] as const) {
      const refused = await add(1, undefined, { [field]: value });
      expectRefusal(refused, 'request/validation-failed', { [field]: [expect.any(String)] });
    }
    const text = '😀'.repeat(255);
    expect((await add(1, text, { description: text })).data.entry).toMatchObject({
      description: text,
      reference: text,
    });
  });
});

describe('a repeated reference', () => {
  test('answers 200 with the first entry, for any description and balance', async () => {
    const first = await add(-0 + 50, 'order-1', { description: 'First' });
    await add(-50);
    const again = await add(50, 'order-1', { description: 'Second' });
    expect([again.status, again.data.entry]).toEqual([200, first.data.entry]);
    expect(again.data.loyalty.points).toBe(0);
    const spent = await add(50, 'order-2');
    expect(spent.data.loyalty.points).toBe(50);
    expect((await add(-50, 'spend')).status).toBe(201);
    expect((await add(-50, 'spend')).status).toBe(200);
  });

  test('with different points is a conflict', async () => {
    await add(50, 'order-1');
    for (const points of [51, -50, 1_000_000_000]) {
      expectRefusal(await add(points, 'order-1'), 'loyalty/reference-conflict');
    }
    expect(await balance()).toBe(50);
  });

  test('is detected per user, and never for null', async () => {
    await add(1, 'order-1');
    await add(1, null);
    await add(1, null);
    expect(await balance()).toBe(3);
    user = await service.signUp();
    expect((await add(2, 'order-1')).status).toBe(201);
  });

  test('sent many times concurrently has effect once, with equal responses, also if it subtracts all points', async () => {
    for (const points of [7, -7]) {
      const answers = await Promise.all(
        Array.from({ length: inFull(50, 15) }, () => add(points, `order of ${points}`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([...answers.slice(1).map(() => 200), 201]);
      for (const { data } of answers) expect(data).toEqual(answers[0]?.data);
    }
    expect(await history(25)).toHaveLength(2);
    expect(await balance()).toBe(0);
  });

  test('sent concurrently with different points creates one entry', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => add(place + 1, 'order-1')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 201) expectRefusal(answer, 'loyalty/reference-conflict');
    }
    expect(await history(25)).toHaveLength(1);
  });
});

const atOnce = inFull(1_000, 100);

test(`${atOnce} concurrent entries: the balance is their sum, never below zero, each reference once`, async () => {
  await add(100);
  const seen: number[] = [];
  let reading = true;
  const reader = (async () => {
    while (reading) seen.push(await balance());
  })();
  // Some entries exceed the balance, and each reference occurs twice.
  const entries = Array.from({ length: atOnce }, (_, place) => ({
    points: place % 3 === 0 ? -40 : 15,
    reference: `order-${place % (atOnce / 2)}-${place % 3 === 0}`,
  }));
  const answers: Came[] = [];
  const queue = [...entries];
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const answer = await add(next.points, next.reference);
        // On a busy machine a call may wait too long for its turn: it is refused without effect, and sent again.
        if (answer.status === 503) queue.push(next);
        else answers.push(answer);
      }
    }),
  );
  reading = false;
  await reader;
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].every((status) => [200, 201, 409].includes(status))).toBe(true);
  for (const answer of answers) {
    if (answer.status === 409) expectRefusal(answer, 'loyalty/insufficient-points');
  }
  const items = await history(100);
  // The history yields the balance after each entry.
  const balances = [0];
  for (const { points } of items.toReversed()) balances.push((balances.at(-1) as number) + points);
  expect(balances.at(-1)).toBe(await balance());
  expect(Math.min(...balances)).toBe(0);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
  const rows = await service.deps.prisma.loyaltyEntry.findMany({ where: { uid: user.uid } });
  expect(rows).toHaveLength(items.length);
  const references = rows.flatMap(({ reference }) => reference ?? []);
  expect(new Set(references).size).toBe(references.length);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(references.length);
});

test('an entry that the balance allows is added even if the balance changes during every attempt', async () => {
  await add(10);
  const where = { appId_id: { appId: service.app.app.id, id: user.uid } };
  const set = (points: number) => service.deps.prisma.user.update({ where, data: { points } });
  const query: Query = async (statement) => {
    if (!statement.text.includes('INSERT INTO loyalty_entries')) return service.deps.query(statement);
    await set(0);
    const rows = await service.deps.query<Any>(statement);
    await set(10);
    return rows;
  };
  const entry = { uid: user.uid, points: -10, description: 'Points', reference: null };
  const call = { app: service.app.app, actor: commandLine };
  const added = await addEntry({ ...service.deps, query }, call, entry);
  expect(added).toMatchObject({ made: true, loyalty: { points: 0 } });
  await expect(addEntry({ ...service.deps, query }, call, { ...entry, points: -11 })).rejects.toMatchObject({
    code: 'loyalty/insufficient-points',
  });
});

test('an entry whose reference another call uses before it takes the lock is answered with that entry', async () => {
  const entry = { uid: user.uid, points: 10, description: 'Points', reference: 'order 1' };
  const call = { app: service.app.app, actor: commandLine };
  // The first attempt writes nothing, as if the balance did not allow it then.
  const query: Query = async (statement) =>
    statement.text.includes('INSERT INTO loyalty_entries') ? [] : service.deps.query(statement);
  const prisma = new Proxy(service.deps.prisma, {
    get(target, name) {
      if (name !== '$transaction') return Reflect.get(target, name);
      return async (...given: unknown[]) => {
        await addEntry(service.deps, call, entry);
        return Reflect.apply(target.$transaction, target, given);
      };
    },
  });
  expect(await addEntry({ ...service.deps, query, prisma }, call, entry)).toMatchObject({ made: false });
  expect(await balance()).toBe(10);
});

test('the history is paginated newest first, and entries added meanwhile do not shift its pages', async () => {
  for (let points = 1; points <= 20; points += 1) await add(points);
  let more = 20;
  const items = await history(3, () => {
    more += 1;
    return add(more);
  });
  expect(items.map(({ points }) => points)).toEqual(Array.from({ length: 20 }, (_, place) => 20 - place));
  expect(new Set(items.map(({ id }) => id)).size).toBe(20);
});

test('each entry writes an event with the balance, and an audit entry with the points and their description', async () => {
  await add(30, 'order-1', { description: 'A description of the user' });
  await add(30, 'order-1');
  expectRefusal(await add(-31), 'loyalty/insufficient-points');
  const { data } = await add(-10);
  const where = { appId: service.app.app.id, uid: user.uid };
  const events: Any[] = await service.deps.prisma.event.findMany({
    where: { ...where, type: 'loyalty.points_changed' },
    orderBy: { id: 'asc' },
  });
  expect(events.map((event) => event.data)).toMatchObject([
    { user: { uid: user.uid }, points: 30, entry: { points: 30, reference: 'order-1' } },
    { user: { uid: user.uid }, points: 20, entry: data.entry },
  ]);
  const audit = await service.auditEntries({ ...where, action: 'loyalty.entry_added' });
  expect(audit).toMatchObject([
    { target: `user:${user.uid}`, details: { points: 30, description: 'A description of the user' } },
    { target: `user:${user.uid}`, details: { entry: data.entry.id, points: -10 } },
  ]);
  expect(audit[0]?.actor).toMatch(/^secret_key:/);
});

test('a cursor that the list did not issue is refused', async () => {
  for (const cursor of ['x', Buffer.from('["a"]').toString('base64url')]) {
    const answer = await mine(`/me/loyalty/history?cursor=${cursor}`);
    expectRefusal(answer, 'request/validation-failed', { cursor: [expect.any(String)] });
  }
});

test('the database itself rejects a balance below zero', async () => {
  const where = { appId_id: { appId: service.app.app.id, id: user.uid } };
  await expect(service.deps.prisma.user.update({ where, data: { points: -1 } })).rejects.toThrow();
});
