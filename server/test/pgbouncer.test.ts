// The service behind PgBouncer in transaction mode, where a session belongs to a client for one transaction only. Skipped
// without DATABASE_URL, and where pgbouncer is not installed.
import { migrate, openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asBackend, newCollection } from './data-scenario.js';
import { testService } from './harness.js';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from './pgbouncer.js';
import { hello, pushScenario } from './push-scenario.js';
import { startReceiver } from './webhook-scenario.js';

const serverConnections = 3;

describe.skipIf(!process.env.DATABASE_URL || !hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  let place: TestPlace;
  let pooler: Pgbouncer;
  const opened: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    place = await createTestPlace();
    pooler = await startPgbouncer(place.databaseUrl as string, serverConnections);
  });
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
    await pooler.stop();
    await place.remove();
  });

  const openPooled = () => openDatabase({ databaseUrl: pooler.databaseUrl });

  /** Sends statements to PostgreSQL directly, for its new sessions. */
  async function directly(...statements: string[]): Promise<void> {
    const { pathname } = new URL(place.databaseUrl as string);
    const database = await openDatabase({ databaseUrl: place.databaseUrl });
    await database.connection(({ script }) =>
      script(statements.join(';').replaceAll('this_database', pathname.slice(1))),
    );
    await database.close();
  }

  test('the service starts three times, from an empty database on', async () => {
    await directly('DROP SCHEMA public CASCADE', 'DROP SCHEMA pgboss CASCADE', 'CREATE SCHEMA public');
    for (let start = 0; start < 3; start += 1) {
      const service = await testService({ database: await openPooled() });
      expect(await service.signUp()).toMatchObject({ uid: expect.any(String) });
      await service.stop();
    }
  });

  test('instances that start together share its connections', async () => {
    await directly('DROP SCHEMA public CASCADE', 'DROP SCHEMA pgboss CASCADE', 'CREATE SCHEMA public');
    const start = async () => testService({ database: await openPooled() });
    const services = await Promise.all([start(), start(), start(), start()]);
    for (const service of services) {
      expect(await service.signUp()).toMatchObject({ uid: expect.any(String) });
      await service.stop();
    }
  });

  test('accounts, records, files, push and webhooks work on two instances at once', async () => {
    const scenario = await pushScenario({ database: await openPooled() });
    opened.push(() => scenario.stop());
    const first = scenario.service;
    const second = await first.secondInstance({ database: await openPooled() });
    opened.push(() => second.stop());
    const receiver = await startReceiver();
    opened.push(() => receiver.stop());
    const collection = await newCollection(first, { indexed_fields: ['number'] });
    const webhook = { url: receiver.url, types: ['user.created'] };
    const created = await first.call('POST', '/admin/webhooks', {
      token: first.app.secretKey,
      body: webhook,
    });
    expect(created.status).toBe(201);

    const uids: string[] = [];
    const uses = Array.from({ length: 24 }, async (_, number) => {
      const [one, other] = number % 2 === 0 ? [first, second] : [second, first];
      const user = await one.signUp();
      expect((await other.signIn(user)).status).toBe(200);
      const refreshed = await other.refresh(user.tokens.refresh_token);
      expect(refreshed.status).toBe(200);
      const token = refreshed.data.access_token;
      const me = await one.call('PATCH', '/me', { token, body: { first_name: `Name ${number}` } });
      expect(me.status).toBe(200);
      expect((await asBackend(one).create(collection, { number })).status).toBe(201);
      const query = { where: [{ field: 'number', op: '==', value: number }] };
      const found = await asBackend(other).call('POST', `${collection}/query`, { body: query });
      expect([found.status, found.json.data?.items?.length]).toEqual([200, 1]);
      const form = new FormData();
      form.append('file', new Blob([`content ${number}`]), 'text.txt');
      const file = await one.call<{ id: string }>('POST', '/files', { token, form });
      expect(file.status).toBe(201);
      expect((await one.call('GET', `/files/${file.data.id}/url`, { token })).status).toBe(200);
      await scenario.register('fcm', { user });
      uids.push(user.uid);
      expect((await one.call('POST', '/auth/sign-out-all', { token })).status).toBe(204);
    });
    await Promise.all(uses);
    await first.advance(0);
    expect(receiver.received).toHaveLength(24);
    const { message } = await scenario.sent({ ...hello, uids });
    expect(message).toMatchObject({ status: 'done', accepted_count: 24 });
  });

  test('a search path or an isolation level that the statements cannot work with stops the start, and changes nothing', async () => {
    await directly(
      'CREATE SCHEMA other',
      'ALTER DATABASE this_database SET search_path = other, public',
      "ALTER DATABASE this_database SET default_transaction_isolation = 'serializable'",
    );
    await pooler.stop();
    pooler = await startPgbouncer(place.databaseUrl as string, serverConnections);
    const refused = await openPooled();
    opened.push(() => refused.close());
    for (const call of [() => migrate(refused), () => refused.prisma.app.count()]) {
      const error = String(await call().catch((caught: unknown) => caught));
      expect(error).toMatch(/search_path is other, public; run ALTER ROLE "\w+" SET search_path = 'public'/);
      expect(error).toMatch(/SET default_transaction_isolation = 'read committed'/);
    }
    const direct = await openDatabase({ databaseUrl: place.databaseUrl });
    opened.push(() => direct.close());
    expect(await direct.prisma.$queryRaw`SELECT tablename FROM pg_tables WHERE schemaname = 'other'`).toEqual(
      [],
    );
    expect(await migrate(direct)).toEqual([]);
  });

  test('every connection is in UTC, and a start says which limits the role must have', async () => {
    await directly("ALTER DATABASE this_database SET timezone = 'America/New_York'");
    const lines: string[] = [];
    const start = async () => {
      lines.length = 0;
      const service = await testService({
        database: await openPooled(),
        onLogLine: (line) => lines.push(line),
      });
      opened.push(() => service.stop());
      return service;
    };
    const { prisma } = (await start()).database;
    expect(lines.join('\n')).toContain("SET statement_timeout = '5000ms'");
    expect(lines.join('\n')).toContain("SET idle_in_transaction_session_timeout = '20000ms'");
    const zones = await Promise.all(
      Array.from(
        { length: 20 },
        () => prisma.$queryRaw`SELECT current_setting('TimeZone') AS zone, pg_sleep(0.01)::text`,
      ),
    );
    expect(zones.flat()).toEqual(Array(20).fill(expect.objectContaining({ zone: 'UTC' })));

    await directly(
      "ALTER DATABASE this_database SET statement_timeout = '5s'",
      "ALTER DATABASE this_database SET idle_in_transaction_session_timeout = '20s'",
    );
    await pooler.stop();
    pooler = await startPgbouncer(place.databaseUrl as string, serverConnections);
    await start();
    expect(lines.join('\n')).not.toContain('_timeout');
  });
});
