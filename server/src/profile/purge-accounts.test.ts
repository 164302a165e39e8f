// Deletion of accounts with more rows than one statement may change: hidden at once, purged in batches, across crashes.
import type { AuditEntry, Event } from '@foyer/contract';
import { Prisma } from '@foyer/prisma';
import { beforeAll, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { newEmail } from '../../test/code-scenario.js';
import { newCollection } from '../../test/data-scenario.js';
import { type Answer, statementLog, type TestUser, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { thorough } from '../../test/thorough.js';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import { before, dayMilliseconds } from '../lib/timestamp.js';
import { purgeUserInEvents } from '../webhooks/endpoints/store.js';
import { accountsPerRun, endPurge, purgeBatchRows, purgeDeletedAccounts } from './purge-accounts.js';

/** The thorough run has the row counts of a real attack; an embedded database would take minutes to fill. */
const atFullSize = thorough && process.env.DATABASE_URL !== undefined;
const auditRows = atFullSize ? 500_000 : 2_100;
const otherRows = 1_100;
const tenSeconds = 10_000;
const minute = 60_000;
const day = 24 * 60 * 60_000;

const statements = statementLog();
const lines: string[] = [];
const service = shared(() =>
  testService({ onStatement: statements.onStatement, onLogLine: (line) => lines.push(line) }),
);
let reader: TestUser;
let collections: { deletes: string; keeps: string };
beforeAll(async () => {
  reader = await service.signUp();
  collections = {
    deletes: await newCollection(service, { access_mode: 'signed_in_read' }),
    keeps: await newCollection(service, { access_mode: 'signed_in_read', on_user_delete: 'keep' }),
  };
});

const appId = () => service.app.app.id;
const purge = (where: object = {}) => service.database.prisma.accountPurge.findMany({ where });
const list = <Item>(path: string) =>
  service.call<{ items: Item[] }>('GET', path, { token: service.app.secretKey });

/** Turns off the statement timeout, which a busy machine exceeds. */
const run = (sql: Prisma.Sql) => service.database.connection(({ query }) => query(sql.text, sql.values));

/** Inserts thousands of rows of a user, each with an old id. */
async function fill(uid: string, audit: number, others: number): Promise<void> {
  const { prisma } = service.database;
  const now = service.clock.now();
  // Entries whose ids are older than their retention would be deleted.
  const dayBefore = firstUlidOf(before(now, dayMilliseconds)).slice(0, 8);
  const id = Prisma.sql`lpad(n::text, 26, '0')`;
  const own = Prisma.sql`'00' || right(${uid}, 10) || lpad(n::text, 14, '0')`;
  for (let from = 1; from <= audit; from += 5_000) {
    const to = Math.min(from + 4_999, audit);
    await run(Prisma.sql`INSERT INTO audit_log (app_id, id, actor, action, target, user_id, ip_address, details, created_at)
      SELECT ${appId()}, ${dayBefore} || right(${uid}, 10) || lpad(n::text, 8, '0'), 'anonymous', 'user.sign_in_failed', 'user:' || ${uid}, ${uid},
        '203.0.113.7', '{"method": "password"}', ${now}::timestamptz FROM generate_series(${from}::int, ${to}::int) AS n`);
  }
  const user = Prisma.sql`jsonb_build_object('uid', ${uid}::text, 'email', 'personal@example.com', 'email_verified', true,
    'first_name', 'personal', 'last_name', 'personal', 'photo_url', 'https://personal.example', 'member_id', '1234567890',
    'claims', '{"personal": true}'::jsonb, 'created_at', '2026-01-01T00:00:00.000000Z')`;
  const entry = Prisma.sql`jsonb_build_object('id', ${id}, 'points', 1, 'description', 'personal', 'reference', 'personal',
    'created_at', '2026-01-01T00:00:00.000000Z')`;
  await run(Prisma.sql`INSERT INTO events (app_id, id, type, user_id, data, created_at)
    SELECT ${appId()}, '00' || right(${uid}, 10) || lpad(n::text, 14, '0'), 'loyalty.points_changed', ${uid},
      jsonb_build_object('user', ${user}, 'points', 1, 'entry', ${entry}), ${now}::timestamptz
    FROM generate_series(1, ${others}::int) AS n`);
  await run(Prisma.sql`INSERT INTO sessions (app_id, id, user_id, key_id, secret_hash, method, amr, auth_time, device_type,
      created_at, last_used_at, ended_at, end_reason)
    SELECT ${appId()}, ${own}, ${uid}, 1, '\\x00', 'password', '{pwd}', ${now}::timestamptz, 'unknown', ${now}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz, 'sign_out' FROM generate_series(1, ${others}::int) AS n`);
  await run(Prisma.sql`INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, created_at)
    SELECT ${appId()}, ${uid}, ${id}, n, 1, 'personal', ${now}::timestamptz FROM generate_series(1, ${others}::int) AS n`);
  await run(Prisma.sql`INSERT INTO files (app_id, id, owner_id, name, content_type, size, sha256, visibility, created_at)
    SELECT ${appId()}, ${own}, ${uid}, 'personal.png', 'image/png', 1, '\\x00', 'public', ${now}::timestamptz
    FROM generate_series(1, ${others}::int) AS n`);
  for (const name of Object.values(collections)) {
    const { id: collectionId } = await prisma.collection.findFirstOrThrow({
      where: { appId: appId(), name },
    });
    await run(Prisma.sql`INSERT INTO records (app_id, collection_id, id, fields, bytes, owner_uid, created_at, updated_at)
      SELECT ${appId()}, ${collectionId}, ${own}, '{"personal": 1}', 14, ${uid}, ${now}::timestamptz, ${now}::timestamptz
      FROM generate_series(1, ${others}::int) AS n`);
  }
}

/** The number of rows per table that still contain data of the user. */
async function left(uid: string): Promise<Record<string, number>> {
  const { prisma } = service.database;
  const where = { appId: appId(), uid };
  const { id: collectionId } = await prisma.collection.findFirstOrThrow({
    where: { appId: appId(), name: collections.deletes },
  });
  return {
    audit: await prisma.auditLog.count({ where: { ...where, ip: { not: null } } }),
    events: await prisma.event.count({
      where: { ...where, data: { path: ['user', 'email'], string_contains: '@' } },
    }),
    sessions: await prisma.session.count({ where }),
    ledger: await prisma.loyaltyEntry.count({ where }),
    files: await prisma.file.count({ where: { appId: appId(), ownerId: uid } }),
    records: await prisma.record.count({ where: { appId: appId(), collectionId, ownerUid: uid } }),
  };
}

const nothing = { audit: 0, sessions: 0, ledger: 0, files: 0, records: 0 };
const deleteMe = (user: TestUser) => service.call('DELETE', '/me', { token: user.tokens.access_token });

async function purged(): Promise<void> {
  for (let runs = 0; (await purge()).some(({ rowsLeft }) => rowsLeft); runs += 1) {
    expect(runs).toBeLessThan(100);
    await service.advance(tenSeconds);
  }
}

test('an account of any size is deleted with a bounded number of statements and rows', async () => {
  const user = await service.signUp();
  await fill(user.uid, auditRows, otherRows);
  const before = await left(user.uid);
  expect(before).toMatchObject({
    sessions: otherRows + 1,
    ledger: otherRows,
    files: otherRows,
    records: otherRows,
  });
  let answer: Answer | undefined;
  const sent = await statements.during(async () => {
    answer = await deleteMe(user);
  });
  expect(answer?.status).toBe(204);
  expect(sent.length).toBeLessThan(50);
  const after = await left(user.uid);
  for (const [table, count] of Object.entries(before)) {
    // The deletion adds an event or two of its own.
    expect(count - (after[table] ?? 0), table).toBeGreaterThan(purgeBatchRows - 5);
    expect(count - (after[table] ?? 0), table).toBeLessThanOrEqual(purgeBatchRows);
  }

  const page = await list<AuditEntry>(`/admin/audit-log?uid=${user.uid}&limit=100`);
  expect(page.status, page.text).toBe(200);
  const audit = page.data;
  expect(audit.items).toHaveLength(100);
  for (const { ip_address, details } of audit.items) expect([ip_address, details]).toEqual([null, {}]);
  expect((await list(`/admin/files?owner_uid=${user.uid}`)).data.items).toEqual([]);
  const file = await service.database.prisma.file.findFirstOrThrow({ where: { ownerId: user.uid } });
  expect((await service.call('GET', `/files/${file.id}`)).status).toBe(404);
  const bytes = await fetch(`${service.url}/api/v2/apps/${appId()}/files/${file.id}/content`);
  expect([403, 404]).toContain(bytes.status);
  expect((await list(`/admin/users/${user.uid}/loyalty/entries`)).code).toBe('auth/user-not-found');
  const { access_token: token } = (await service.signIn(reader)).data;
  for (const [name, count] of [
    [collections.deletes, 0],
    [collections.keeps, 25],
  ] as const) {
    const listed = await service.call<{ items: unknown[] }>('GET', `/data/${name}`, { token });
    expect(listed.data.items).toHaveLength(count);
    const found = await service.call<{ items: unknown[] }>('POST', `/data/${name}/query`, {
      token,
      body: {},
    });
    expect(found.data.items).toHaveLength(count);
  }
  const record = await service.database.prisma.record.findFirstOrThrow({
    where: { ownerUid: user.uid, collection: { name: collections.deletes } },
  });
  const path = `/data/${collections.deletes}/${record.id}`;
  expect((await service.call('GET', path, { token })).code).toBe('data/not-found');
  await service.signUp({ email: user.email });

  await purged();
  expect(await left(user.uid)).toMatchObject(nothing);
  const where = { appId: appId(), uid: user.uid };
  expect(await service.database.prisma.auditLog.count({ where })).toBeGreaterThan(auditRows);
  const entries = await service.database.prisma.event.findMany({
    where,
    orderBy: { id: 'asc' },
    take: otherRows,
  });
  expect(JSON.stringify(entries)).not.toContain('personal');
}, 600_000);

test('deletion takes the same number of statements for any number of collections in the app', async () => {
  const { app } = await service.newApp();
  const now = service.clock.now();
  const deleted = async () => {
    const user = await service.signUp({ appKey: app.appKey });
    const token = user.tokens.access_token;
    const sent = await statements.during(async () => {
      expect((await service.call('DELETE', '/me', { appKey: app.appKey, token })).status).toBe(204);
    });
    return sent.length;
  };
  const few = await deleted();
  await run(Prisma.sql`INSERT INTO collections (app_id, id, name, access_mode, on_user_delete, created_at, updated_at)
    SELECT ${app.id}, lpad(n::text, 26, '0'), 'many-' || n, 'owner', 'delete', ${now}::timestamptz, ${now}::timestamptz
    FROM generate_series(1, ${atFullSize ? 20_000 : 2_000}::int) AS n`);
  expect(await deleted()).toBe(few);
});

test('after a crash between two batches another instance continues the purge', async () => {
  const user = await service.signUp();
  await fill(user.uid, 2_500, 10);
  const backend = { token: service.app.secretKey };
  expect((await service.call('DELETE', `/admin/users/${user.uid}`, backend)).status).toBe(204);
  const { prisma } = service.database;
  let transactions = 0;
  const crashing = {
    ...service.deps,
    prisma: new Proxy(prisma, {
      get(target, name) {
        if (name === '$transaction') transactions += 1;
        if (name === '$transaction' && transactions > 1) throw new Error('crashed');
        return Reflect.get(target, name);
      },
    }),
  };
  await purgeDeletedAccounts(crashing);
  expect(lines.join('')).toContain('purging a deleted account failed');
  expect((await left(user.uid)).audit).toBe(2_500 + 2 - 2 * purgeBatchRows);
  await service.advance(tenSeconds);
  // The entry of the deletion has the IP address of the backend.
  expect(await left(user.uid)).toMatchObject({ ...nothing, audit: 1 });
});

test('a purge is not delayed by many others that keep failing', async () => {
  const user = await service.signUp();
  await fill(user.uid, purgeBatchRows + 1, 1);
  expect((await deleteMe(user)).status).toBe(204);
  const dueAt = before(service.clock.now(), day);
  await run(Prisma.sql`INSERT INTO account_purges (app_id, user_id, deleted_at, audit_after, events_after, rows_left, due_at)
    SELECT ${appId()}, 'failing-' || n, ${dueAt}::timestamptz, '', '', false, ${dueAt}::timestamptz
    FROM generate_series(1, ${accountsPerRun}::int) AS n`);
  await run(Prisma.sql`CREATE FUNCTION keep_failing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
    IF starts_with(OLD.user_id, ''failing-'') THEN RAISE ''fails''; END IF; RETURN OLD; END'`);
  await run(Prisma.sql`CREATE TRIGGER keep_failing BEFORE DELETE ON account_purges
    FOR EACH ROW EXECUTE FUNCTION keep_failing()`);
  await service.advance(tenSeconds);
  expect((await left(user.uid)).audit).toBeGreaterThan(0);
  await service.advance(tenSeconds);
  expect(await left(user.uid)).toMatchObject(nothing);
  await run(Prisma.sql`DROP TRIGGER keep_failing ON account_purges`);
  await service.database.prisma.accountPurge.deleteMany({ where: { uid: { startsWith: 'failing-' } } });
});

test.each([
  ['one second later', 1_000],
  ['in the same millisecond', 0],
  ['after the clock has stepped back', -1_000],
])(
  'the events of a deletion %s retain the last known user for four days, earlier events do not',
  async (_, later) => {
    const email = newEmail();
    const user = await service.signUp({ email });
    service.clock.advance(later);
    expect((await deleteMe(user)).status).toBe(204);
    const events = async () => (await list<Event>(`/admin/events?uid=${user.uid}`)).data.items;
    const emails = async () => (await events()).map(({ type, data }) => [type, data.user.email]);
    expect(await emails()).toEqual([
      ['user.deleted', email],
      ['session.ended', email],
      ['session.created', null],
      ['user.created', null],
    ]);
    await service.advance(4 * day - minute);
    expect(await emails()).toContainEqual(['user.deleted', email]);
    await service.advance(minute);
    for (const { data } of await events()) {
      expect(data.user).toMatchObject({
        uid: user.uid,
        email: null,
        first_name: null,
        member_id: null,
      });
      expect(data.user.claims).toEqual({});
    }
    expect(await purge({ uid: user.uid })).toEqual([]);
    expect(JSON.stringify(await service.database.prisma.event.findMany())).not.toContain(email);
  },
);

test('more events of one deletion than a batch are purged, too', async () => {
  const user = await service.signUp();
  service.clock.advance(1_000);
  expect((await deleteMe(user)).status).toBe(204);
  const { id } = await service.database.prisma.event.findFirstOrThrow({
    where: { appId: appId(), uid: user.uid, type: 'user.deleted' },
  });
  const data = { user: { uid: user.uid, email: user.email } };
  await run(Prisma.sql`INSERT INTO events (app_id, id, type, user_id, data, created_at)
    SELECT ${appId()}, left(${id}, 16) || lpad(n::text, 10, '0'), 'session.ended', ${user.uid}, ${JSON.stringify(data)}::jsonb,
      ${service.clock.now()}::timestamptz FROM generate_series(1, ${purgeBatchRows}::int) AS n`);
  expect((await left(user.uid)).events).toBeGreaterThan(purgeBatchRows);
  await service.advance(4 * day);
  expect((await left(user.uid)).events).toBe(0);
  expect(await purge({ uid: user.uid })).toEqual([]);
});

test('before a user is imported again, all events of the deletion are purged', async () => {
  const { uid } = await service.signUp();
  await fill(uid, 0, purgeBatchRows + 1);
  await service.database.prisma.$transaction((tx) => endPurge(tx, { appId: appId(), uid }));
  expect((await left(uid)).events).toBe(0);
});

test('an account whose purge two instances end at once is purged, and nothing fails', async () => {
  const user = await service.signUp();
  expect((await deleteMe(user)).status).toBe(204);
  service.clock.advance(4 * day);
  lines.length = 0;
  await Promise.all([purgeDeletedAccounts(service.deps), purgeDeletedAccounts(service.deps)]);
  expect(await purge({ uid: user.uid })).toEqual([]);
  expect(lines.filter((line) => line.includes('purging a deleted account failed'))).toEqual([]);
});

testOnServer('the purge of events does not deadlock with others that lock several of them', async () => {
  const { uid } = await service.signUp();
  await fill(uid, 0, purgeBatchRows);
  const ids = { appId: appId(), uid };
  const { prisma } = service.database;
  const own = Prisma.sql`app_id = ${ids.appId} AND user_id = ${uid}`;
  const first = Prisma.sql`app_id = ${ids.appId} AND id = (SELECT min(id) FROM events WHERE ${own})`;
  // The dispatch of an event does the same: it moves the row behind the others.
  await prisma.$executeRaw`UPDATE events SET pending = false WHERE ${first}`;
  const purging = await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM events WHERE ${first} FOR UPDATE`;
    const purged = prisma.$transaction(async (other) => {
      // Then the plan does not depend on statistics.
      await other.$executeRaw`SET LOCAL enable_nestloop = off`;
      return purgeUserInEvents(other, ids, { after: '', before: 'Z', limit: purgeBatchRows });
    });
    await untilBlocked(service.database, 1, 'events');
    await tx.$executeRaw`SELECT FROM events WHERE ${own} ORDER BY id FOR UPDATE`;
    // Retention does the same.
    await tx.$executeRaw`DELETE FROM events WHERE ${first}`;
    return { purged };
  });
  // Fewer would end the purge.
  expect((await purging.purged).rows).toBe(purgeBatchRows);
});

testOnServer('the purge goes on when the backend has deleted a file of its batch', async () => {
  const user = await service.signUp();
  await fill(user.uid, 0, 700);
  const { prisma } = service.database;
  const own = Prisma.sql`app_id = ${appId()} AND owner_id = ${user.uid}`;
  // More than one batch of files, and less of everything else.
  await prisma.$executeRaw`INSERT INTO files (app_id, id, owner_id, name, content_type, size, sha256, visibility,
      created_at)
    SELECT ${appId()}, 'A' || substr(id, 2), owner_id, name, content_type, size, sha256, visibility, created_at
    FROM files WHERE ${own}`;
  const { deletion } = await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`DELETE FROM files WHERE app_id = ${appId()}
      AND id = (SELECT min(id) FROM files WHERE ${own})`;
    const deletion = deleteMe(user);
    await untilBlocked(service.database, 1, 'DELETE FROM files');
    return { deletion };
  });
  expect((await deletion).status).toBe(204);
  await service.advance(tenSeconds);
  expect(await left(user.uid)).toMatchObject(nothing);
});

// Last: ids continue from the latest time of the clock.
test('a purge that began while the clock was ahead goes on once the clock is right', async () => {
  const { clock } = service;
  const now = clock.now();
  clock.advance(day);
  const user = await service.signUp();
  await fill(user.uid, purgeBatchRows + 1, 1);
  expect((await deleteMe(user)).status).toBe(204);
  clock.set(now);
  await service.advance(tenSeconds);
  expect(await left(user.uid)).toMatchObject(nothing);
});
