// The list of users compared with a naive filter and sort, page by page, for every filter, pair of filters and order.
import { type AdminUser, userOrders } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { testService } from '../../../test/harness.js';
import { expectRefusal } from '../../../test/refusal.js';
import { shared } from '../../../test/shared.js';
import { inFull, thorough } from '../../../test/thorough.js';
import { noFilters } from '../../../test/user-filters.js';
import type { UserFilters } from './list-rules.js';
import { listUsers } from './list-users.js';

const service = shared(() => testService());
let all: AdminUser[];
beforeAll(async () => {
  await seed(service.app.app.id);
  await seed((await service.newApp()).app.id);
  all = (await list('limit=500')).items;
});

const count = 230;
const firstNames = ['Ada', 'ADAM', 'Éva', 'éva', 'Zoë', 'a%b', 'a_b', null];
const lastNames = ['Lovelace', 'de la Cruz', 'van Dyck', 'VAN Eyck', 'adams', null];

/** Inserted by SQL, so that creation times collide or differ by microseconds, and ULIDs do not reveal the order. */
async function seed(app: string): Promise<void> {
  const { prisma } = service.database;
  await prisma.$executeRaw`INSERT INTO users (app_id, id, email, email_verified, first_name, last_name, member_id,
        disabled, created_at, updated_at, v1_last_used_at)
      SELECT ${app}, '01JC' || lpad(((n * 7919) % 10007)::text, 22, '0'),
        (ARRAY['ada', 'bob', 'a.b', 'adam'])[1 + n % 4] || '-' || n || '@example.com', n % 3 = 0,
        (${firstNames}::text[])[1 + n % 8], (${lastNames}::text[])[1 + n % 6], 'member-' || n, n % 11 = 0,
        timestamptz '2026-01-01' + (n / 3) * interval '1 hour' + (n % 3) * interval '1 microsecond',
        now(), CASE WHEN n % 5 = 0 THEN timestamptz '2026-02-01' + n * interval '1 hour' END
      FROM generate_series(1, ${count}) AS n`;
  await prisma.$executeRaw`INSERT INTO identities
        (app_id, provider, subject, user_id, client_id, linked_at, user_created_at)
      SELECT ${app}, p, id, id, 'web', created_at, created_at FROM users, unnest('{provider-a,provider-b}'::text[]) AS p
      WHERE app_id = ${app} AND right(id, 1) IN ('1', CASE p WHEN 'provider-a' THEN '2' ELSE '3' END)`;
}

type Page = { items: AdminUser[]; next_cursor: string | null };

async function list(query: string, { app, secretKey } = service.app): Promise<Page> {
  const given = { token: secretKey, appKey: app.appKey };
  const answer = await service.call<Page>('GET', `/admin/users?${query}`, given);
  if (answer.status !== 200) throw new Error(`${query} was answered ${answer.text}`);
  return answer.data;
}

async function everyPage(query: string, limit: number, app = service.app): Promise<AdminUser[]> {
  const found: AdminUser[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await list(
      `${query}&limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      app,
    );
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.next_cursor !== null) expect(page.items).toHaveLength(limit);
    found.push(...page.items);
    cursor = page.next_cursor;
  }
  return found;
}

const folded = (text: string | null) =>
  (text ?? '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '');

function has(q: string): (user: AdminUser) => boolean {
  return ({ email, first_name, last_name, member_id, uid }) => {
    const words = [first_name, last_name, email.split('@')[0]].flatMap((text) =>
      folded(text ?? null).split(/[\s.-]+/),
    );
    const typed = folded(q).split(/[\s.-]+/);
    return (
      email.startsWith(q.toLowerCase()) ||
      (q.startsWith('@') && email.split('@')[1]?.startsWith(q.slice(1))) ||
      (!q.startsWith('@') && typed.every((start) => words.some((word) => word.startsWith(start)))) ||
      member_id === q ||
      uid === q.toUpperCase()
    );
  };
}

/** Each filter with its predicate. */
const filters: [string, (user: AdminUser) => boolean][] = [
  ['disabled=true', (user) => user.disabled],
  ['disabled=false', (user) => !user.disabled],
  ['email_verified=true', (user) => user.email_verified],
  ['email_verified=false', (user) => !user.email_verified],
  ['provider=provider-a', (user) => user.providers.includes('provider-a')],
  ['provider=provider-b', (user) => user.providers.includes('provider-b')],
  ['created_after=2026-01-02T03:30:00Z', (user) => user.created_at > '2026-01-02T03:30'],
  ['created_after=2026-01-02T03:30:00.0000000Z', (user) => user.created_at > '2026-01-02T03:30'],
  ['created_before=2026-01-02T04:30%2B01:00', (user) => user.created_at < '2026-01-02T03:30'],
  [
    'v1_used_after=2026-02-03T00:00:00%2B01:00',
    ({ v1_last_used_at: at }) => at !== null && at > '2026-02-02T23',
  ],
  ['created_before=2026-01-02T04:30+01:00', (user) => user.created_at < '2026-01-02T03:30'],
  ['created_before=2026-01-02T04:30:00%2B0100', (user) => user.created_at < '2026-01-02T03:30'],
  ['created_before=2026-01-02T04:30:00+01', (user) => user.created_at < '2026-01-02T03:30'],
  ['created_before=2026-01-02T02:30:00-0100', (user) => user.created_at < '2026-01-02T03:30'],
  ['created_after=2026-01-02t03:30:00.5z%0A', (user) => user.created_at > '2026-01-02T03:30:00.5'],
  ['email=BOB-5@example.com', (user) => user.email === 'bob-5@example.com'],
  ['email=tag+5@example.com', (user) => user.email === 'tag+5@example.com'],
  ['q=ad', has('ad')],
  ['q=%C3%89V', has('év')],
  ['q=a%25', has('a%')],
  ['q=a_', has('a_')],
  ['q=van', has('van')],
  ['q=eva', has('eva')],
  ['q=cruz', has('cruz')],
  ['q=ADA%20%20love', has('ada love')],
  ['q=van%20dyck%20a', has('van dyck a')],
  ['q=dyck', has('dyck')],
  ['q=la%20cruz', has('la cruz')],
  ['q=cruz%20de%20ad', has('cruz de ad')],
  ['q=b-5', has('b-5')],
  ['q=%40example.com', has('@example.com')],
  ['q=member-17', has('member-17')],
  ['q=nobody', () => false],
];

const collide = (user: AdminUser) => user.created_at;

/** The expected list. Orders by time use the service's own order, since reading the rows loses their microseconds. */
function expected(keeps: (user: AdminUser) => boolean, order: (typeof userOrders)[number]): AdminUser[] {
  const kept = all.filter(keeps);
  if (order.endsWith('email')) kept.sort((a, b) => (a.email < b.email ? -1 : 1));
  else kept.reverse();
  return order.startsWith('-') ? kept.reverse() : kept;
}

test('all users of the app and no others are listed, newest first', () => {
  expect(all).toHaveLength(count);
  expect(new Set(all.map(({ uid }) => uid)).size).toBe(count);
  const times = all.map(collide);
  expect(times).toEqual(times.toSorted().reverse());
});

describe.each(userOrders)('in the order %s', (order) => {
  test.each([['', () => true] as (typeof filters)[number], ...filters])('%s', async (filter, keeps) => {
    const right = expected(keeps, order).map(({ uid }) => uid);
    for (const limit of thorough ? [7, 500] : [Math.ceil(right.length / 3) || 1]) {
      const found = await everyPage(`order=${order}&${filter}`, limit);
      expect(found.map(({ uid }) => uid)).toEqual(right);
    }
  });

  test('any two filters together', async () => {
    const pairs = filters.flatMap(([first, ...of], place) =>
      filters.slice(place + 1).flatMap(([second, ...also]) => {
        const same = first.split('=')[0] === second.split('=')[0];
        return same ? [] : [[`${first}&${second}`, ...of, ...also] as const];
      }),
    );
    // A short run: each pair in one of the orders.
    const own = pairs.filter((_, place) => thorough || userOrders[place % userOrders.length] === order);
    for (const [both, keepsFirst, keepsSecond] of own) {
      const found = await everyPage(`order=${order}&${both}`, inFull(60, 500));
      const right = expected((user) => keepsFirst(user) && keepsSecond(user), order);
      expect([both, ...found.map(({ uid }) => uid)]).toEqual([both, ...right.map(({ uid }) => uid)]);
    }
  });
});

const never = Number.POSITIVE_INFINITY;
const ways = {
  'no set is small enough to be sorted': { few: 0, near: never, many: 0, manyRead: 0, batch: 9 },
  'a set is sorted after a walk': { few: 0, near: 8, many: 1_000, manyRead: 1_000, batch: 4 },
};
/** A short run: each way by one key, in the direction of the other way. */
const everyWay = Object.entries(ways).flatMap(([where, how], way) =>
  userOrders.filter((_, place) => thorough || place === 3 * way).map((order) => ({ where, how, order })),
);

describe.each(everyWay)('where $where, in the order $order', ({ how, order }) => {
  const [more, half] = [
    { provider: 'provider-a', disabled: false },
    { emailVerified: true, v1UsedAfter: '2026-02-03' },
  ];
  const cases: [Partial<UserFilters>, (user: AdminUser) => boolean][] = [
    [{ q: 'ad' }, has('ad')],
    [more, (user) => user.providers.includes('provider-a') && !user.disabled],
    [half, (user) => user.email_verified && (user.v1_last_used_at ?? '') > '2026-02-03'],
    [
      { ...more, q: 'a' },
      (user) => has('a')(user) && user.providers.includes('provider-a') && !user.disabled,
    ],
    [{ email: 'bob-5@example.com' }, (user) => user.email === 'bob-5@example.com'],
    [{ q: 'nobody' }, () => false],
  ];

  test.each(cases)('%j', async (filters, keeps) => {
    const found: string[] = [];
    const list = { filters: { ...noFilters, ...filters }, order, limit: 4 };
    for (let after: { key: string; id: string } | null = null; ; ) {
      const page = await listUsers(service.deps, service.app.app.id, { ...list, after }, how);
      found.push(...page.slice(0, 4).map(({ uid }) => uid));
      if (page.length < 5) break;
      after = page[3] ?? null;
    }
    expect(found).toEqual(expected(keeps, order).map(({ uid }) => uid));
  });
});

/** Lists users by a search, each of whose statements takes so long. */
function slowList(milliseconds: number, how: Parameters<typeof listUsers>[3]) {
  const done = { statements: 0 };
  const query: typeof service.deps.query = (statement) => {
    done.statements += 1;
    return service.deps.query(statement);
  };
  const list = {
    filters: { ...noFilters, q: 'member-17' },
    order: '-created_at',
    limit: 4,
    after: null,
  } as const;
  const slow = { query, elapsed: () => done.statements * milliseconds };
  return { done, users: listUsers(slow, service.app.app.id, list, how) };
}

test.each([
  [700, 7],
  // A tenth would end exactly after five seconds.
  [500, 9],
])(
  'a list whose statements take %i ms is aborted after %i within five seconds, including attempts to sort a smaller set',
  async (milliseconds, statements) => {
    const how = ways['no set is small enough to be sorted'];
    const { done, users } = slowList(milliseconds, { ...how, batch: 2 });
    await expect(users).rejects.toMatchObject({
      code: 'admin/query-timeout',
      headers: { 'Retry-After': '5' },
    });
    expect(done.statements).toBe(statements);
  },
);

test.each([8, 9])('a set that is too large after %i users is not read a second time', async (near) => {
  const { done, users } = slowList(0, { few: 0, near, many: 0, manyRead: 0, batch: 4 });
  expect(await users).toHaveLength(1);
  // The first glance, the set as a small one, 58 batches of the 230 users, and the set as a large one.
  expect(done.statements).toBe(61);
});

// The embedded database cannot cancel a running statement.
testOnServer('a list whose statement the database ends is told of the same', async () => {
  await service.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE identities IN ACCESS EXCLUSIVE MODE`;
    const answer = service.call('GET', '/admin/users?provider=provider-a', { token: service.app.secretKey });
    await untilBlocked(service.database, 1);
    await tx.$queryRaw`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expectRefusal(await answer, 'admin/query-timeout');
  });
});

test('times are compared to the microsecond; "after" is inclusive, "before" exclusive', async () => {
  const between = (after: string, before: string) =>
    list(`created_after=2026-01-02T03:00:00.${after}Z&created_before=2026-01-02T03:00:00.${before}Z`);
  expect((await between('0', '000002')).items).toHaveLength(2);
  expect((await between('000001', '000002')).items).toHaveLength(1);
  expect((await between('0000019', '000002000')).items).toHaveLength(1);
  expect((await list('v1_used_after=2026-02-10T14:00:00Z')).items).toHaveLength(1);
  expect((await list('v1_used_after=2026-02-10T14:00:00.000001Z')).items).toEqual([]);
});

test('users are listed by their uids, of this app only, in any order of the list', async () => {
  const asked = [all[3], all[0]].flatMap((user) => user ?? []);
  const other = await service.newApp();
  const stranger = await service.call('POST', '/admin/users', {
    token: other.secretKey,
    appKey: other.app.appKey,
    body: { email: 'stranger@example.com' },
  });
  const { uid } = stranger.data as AdminUser;
  const uids = [...asked.map((user) => user.uid), uid, '01JC4Q7M0RZ9X2V5T8W3Y6K1NB'].join(',');
  const byEmail = [...asked].sort((one, next) => (one.email < next.email ? -1 : 1));
  expect((await list(`uids=${uids}&order=email`)).items).toEqual(byEmail);
  const most = Array(100).fill(asked[0]?.uid).join(',');
  expect((await list(`uids=${most}`)).items).toEqual(asked.slice(0, 1));
  expect((await list(`uids=${uids}&email=nobody@example.com`)).items).toEqual([]);
});

test('a uid is found by exact match only, in any case', async () => {
  const [user] = all;
  expect((await list(`q=${user?.uid.toLowerCase()}`)).items).toEqual([user]);
  expect((await list(`q=${user?.uid.slice(0, 25)}`)).items).toEqual([]);
});

/** Inserts two users that match the same filters as a given one, at either end of each order. */
async function come(appId: string, like: string, newest: string, number: number): Promise<string[]> {
  const { prisma } = service.database;
  const made: string[] = [];
  for (const [place, email, createdAt] of [
    [0, '0', '2025-12-31T00:00:00Z'],
    [1, 'zz', newest],
  ] as const) {
    const id = `01JD${String(number * 2 + place).padStart(22, '0')}`;
    await prisma.$executeRaw`INSERT INTO users (app_id, id, email, email_verified, first_name, member_id, disabled,
        created_at, updated_at, v1_last_used_at)
      SELECT ${appId}, ${id}, ${email} || ${id} || '@example.com', email_verified, 'Ada', ${id}, disabled,
        ${createdAt}::timestamptz + ${number}::int * interval '1 microsecond', now(), v1_last_used_at
      FROM users WHERE app_id = ${appId} AND id = ${like}`;
    await prisma.$executeRaw`INSERT INTO identities (app_id, provider, subject, user_id, client_id, linked_at, user_created_at)
      SELECT ${appId}, i.provider, u.id, u.id, 'web', u.created_at, u.created_at
      FROM identities AS i JOIN users AS u ON u.app_id = ${appId} AND u.id = ${id}
      WHERE i.app_id = ${appId} AND i.user_id = ${like}`;
    made.push(id);
  }
  return made;
}

/** Each filter, and the time of users added at the end; a short run lists in one direction by each key. */
test.each([
  ['', '2026-03-01T00:00:00Z', 0],
  ['disabled=false', '2026-03-01T00:00:00Z', 1],
  ['provider=provider-a', '2026-03-01T00:00:00Z', 0],
  ['v1_used_after=2026-02-03T00:00:00Z', '2026-03-01T00:00:00Z', 1],
  ['q=ad', '2026-03-01T00:00:00Z', 0],
  ['created_after=2025-12-01T00:00:00Z&created_before=2026-01-03T12:00:00Z', '2026-01-03T11:30:00Z', 1],
])(
  'while users are added and deleted, no other user is listed twice or omitted: %s',
  async (filter, newest, direction) => {
    const { prisma } = service.database;
    for (const order of userOrders.filter((_, at) => thorough || at % 2 === direction)) {
      const app = await service.newApp();
      const appId = app.app.id;
      await seed(appId);
      const before = (await everyPage(`order=${order}&${filter}`, 500, app)).map(({ uid }) => uid);
      const limit = inFull(12, Math.ceil(before.length / 4));
      const made: string[] = [];
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page = await list(
          `order=${order}&${filter}&limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
          app,
        );
        seen.push(...page.items.map(({ uid }) => uid));
        cursor = page.next_cursor;
        // The last user of the page, its cursor, is deleted; one is added at each end.
        const gone = page.items.at(-1)?.uid as string;
        made.push(...(await come(appId, gone, newest, made.length)));
        await prisma.user.delete({ where: { appId_id: { appId, id: gone } } });
        if (seen.length > 500) throw new Error('the list has no end');
      }
      expect(before.length).toBeGreaterThan(24);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((uid) => !made.includes(uid))).toEqual(before);
      expect(made.filter((uid) => seen.includes(uid))).not.toEqual([]);
    }
  },
);

describe('invalid parameters', () => {
  test.each([
    ['q', 'a'],
    ['q', `${'x'.repeat(100)}%20y`],
    ['q', 'x'.repeat(4_097)],
    ['q', '%20a%20'],
    ['email', 'ada'],
    ['disabled', 'yes'],
    ['email_verified', ''],
    ['provider', 'x'.repeat(33)],
    ['created_after', 'yesterday'],
    ['created_after', '2026-01-01'],
    ['created_after', '2026-02-30T00:00:00Z'],
    ['created_before', '2026-13-01T00:00:00Z'],
    ['created_before', '0000-01-01T00:00:00Z'],
    ['created_before', '0001-01-01T00:00:00%2B10:00'],
    ['v1_used_after', '2026-01-01T00:00:00%2B25:00'],
    ['order', 'points'],
    ['uids', ''],
    ['uids', '01JC4Q7M0RZ9X2V5T8W3Y6K1NB,'],
    ['uids', Array(101).fill('01JC4Q7M0RZ9X2V5T8W3Y6K1NB').join(',')],
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '1e1'],
    ['cursor', 'nonsense'],
  ])('%s=%s', async (name, value) => {
    const answer = await service.call('GET', `/admin/users?${name}=${value}`, {
      token: service.app.secretKey,
    });
    expectRefusal(answer, 'request/validation-failed', null);
    expect(Object.keys(answer.json.error.fields)).toEqual([name]);
  });

  test('a cursor of another order, or a forged one', async () => {
    const cursorOf = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString('base64url');
    const id = all[0]?.uid;
    for (const keys of [
      ['created_at', '2026-01-01T00:00:00.000000Z', id],
      ['-created_at', '2026-99-01T00:00:00.000000Z', id],
      ['-created_at', 'infinity', id],
      ['-created_at', '2026-01-01T00:00:00.000000Z', 'x'],
      ['-created_at', '2026-01-01T00:00:00.000000Z'],
      ['email', { length: { toString: 1, valueOf: 1 } }, id],
    ]) {
      const order = keys[0] === 'email' ? 'email' : '-created_at';
      const path = `/admin/users?order=${order}&cursor=${cursorOf(keys)}`;
      const answer = await service.call('GET', path, { token: service.app.secretKey });
      expectRefusal(answer, 'request/validation-failed', null);
    }
  });

  test('do not include searches of two and of a hundred characters of any kind', async () => {
    for (const q of ['ab', 'é'.repeat(100), '\u{1f600}\u{10ffff}', "'--", '\\%']) {
      expect((await list(`q=${encodeURIComponent(q)}`)).next_cursor).toBeNull();
    }
  });
});
