// What the service answers while its database is unreachable, and that it recovers by itself. The embedded database can
// only be closed; PostgreSQL is reached through a proxy that can be cut and stalled.
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CutProxy, cutProxy } from './cut-proxy.js';
import { type Answer, type TestService, type TestUser, testService } from './harness.js';
import { expectRefusal } from './refusal.js';

let passed = 0;
/** An answer of /readyz is cached for a second: each probe comes a second after the previous one. */
const elapsed = () => performance.now() + passed;

async function probe(service: TestService, path: string): Promise<Answer> {
  passed += 1_000;
  const response = await fetch(`${service.url}${path}`);
  const text = await response.text();
  const json = JSON.parse(text);
  const { status, headers } = response;
  return { status, headers, text, json, data: json.data, code: json.error?.code };
}

/** A call of every kind that needs the database. */
function everyCall(service: TestService, user: TestUser): Promise<Answer>[] {
  const token = user.tokens.access_token;
  return [
    probe(service, '/readyz'),
    service.call('GET', '/me', { token }),
    service.call('PATCH', '/me', { token, body: { first_name: 'Ada' } }),
    service.call('GET', '/me/sessions', { token }),
    service.call('DELETE', '/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { token }),
    service.call('POST', '/auth/sign-out-all', { token }),
    service.signIn(user),
    service.call('POST', '/auth/sign-up', { body: { email: 'new@example.com', password: 'long enough' } }),
    service.refresh(user.tokens.refresh_token),
    service.call('GET', '/me', { token, appKey: 'pk_an-app-not-seen-before' }),
    service.call('GET', `/apps/${service.app.app.id}/.well-known/openid-configuration`),
  ];
}

async function expectServing(service: TestService, user: TestUser): Promise<void> {
  expect(await probe(service, '/readyz')).toMatchObject({ status: 200, json: { data: { status: 'ready' } } });
  const me = await service.call('GET', '/me', { token: user.tokens.access_token });
  expect([me.status, me.json.data?.uid]).toEqual([200, user.uid]);
}

/** What needs no database is answered as usual. */
async function expectAlive(service: TestService): Promise<void> {
  const alive = await probe(service, '/healthz');
  expect([alive.status, alive.json, alive.headers.get('cache-control')]).toEqual([
    200,
    { data: { status: 'ok' } },
    'no-store',
  ]);
  expect((await service.call('GET', '/.well-known/jwks.json')).status).toBe(200);
  expect((await service.call('POST', '/auth/sign-in', { body: {} })).code).toBe('request/validation-failed');
}

test('with the database closed every call that needs it answers 503 with Retry-After', async () => {
  const lines: string[] = [];
  const service = await testService({
    overrides: { elapsed },
    onLogLine: (line) => lines.push(line),
  });
  const user = await service.signUp();
  await expectServing(service, user);
  await service.database.close();
  for (const answer of await Promise.all(everyCall(service, user)))
    expectRefusal(answer, 'request/unavailable');
  await expectAlive(service);
  expect(lines.filter((line) => line.includes('"level":"warn"')).length).toBeGreaterThan(10);
  await service.stop();
});

describe.skipIf(!process.env.DATABASE_URL)('on PostgreSQL', () => {
  let place: TestPlace;
  let proxy: CutProxy;
  let service: TestService;
  let user: TestUser;
  beforeAll(async () => {
    place = await createTestPlace();
    const server = new URL(place.databaseUrl as string);
    proxy = await cutProxy({ host: server.hostname, port: Number(server.port || 5432) });
    server.hostname = '127.0.0.1';
    server.port = String(proxy.port);
    const database = await openDatabase({ databaseUrl: server.toString() });
    service = await testService({ database, overrides: { elapsed } });
    user = await service.signUp();
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await place.remove();
  });

  test('calls answer 503 at once while the server is cut off, and succeed when it is back', async () => {
    await proxy.cut();
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const startedAt = performance.now();
      for (const answer of await Promise.all(everyCall(service, user))) {
        expectRefusal(answer, 'request/unavailable');
      }
      times.push(performance.now() - startedAt);
    }
    // No call waits the five seconds that a connection may take; a busy machine is slow in only some rounds.
    expect(Math.min(...times)).toBeLessThan(4_500);
    await expectAlive(service);
    await proxy.mend();
    await expectServing(service, user);
  });

  test('a stalled server delays no call beyond ten seconds, and calls succeed when it resumes', async () => {
    proxy.stall();
    await expectAlive(service);
    const timed = async (calls: Promise<Answer>[]) => {
      const startedAt = performance.now();
      return { answers: await Promise.all(calls), milliseconds: performance.now() - startedAt };
    };
    // More at once than there are connections.
    const stalled = await timed([...everyCall(service, user), ...everyCall(service, user)]);
    for (const answer of stalled.answers) expectRefusal(answer, 'request/unavailable');
    await proxy.mend();
    await expect.poll(async () => (await probe(service, '/readyz')).status).toBe(200);
    user = await service.signUp();
    // A busy machine takes seconds for as many calls without a stall, which are not every call: answers would be kept.
    const served = await timed(stalled.answers.map(() => service.signIn(user)));
    expect(stalled.milliseconds).toBeLessThan(10_000 + served.milliseconds);
    await expectServing(service, user);
  });

  test('connections that the server closes, idle or in use, are replaced, and nothing is answered 500', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const calls = Promise.all(
        Array.from({ length: 20 }, () => service.call('GET', '/me', { token: user.tokens.access_token })),
      );
      await terminateAll(place.databaseUrl as string);
      for (const answer of await calls) {
        statuses.add(answer.status);
        if (answer.status !== 200) expectRefusal(answer, 'request/unavailable');
      }
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    // The last closed connections may not be gone yet.
    await vi.waitFor(() => expectServing(service, user), { timeout: 60_000 });
  });

  test('a dropped database is handled like an unreachable one', async () => {
    await place.remove();
    for (const answer of await Promise.all(everyCall(service, user))) {
      expectRefusal(answer, 'request/unavailable');
    }
    await expectAlive(service);
  });
});

async function terminateAll(databaseUrl: string): Promise<void> {
  const database = await openDatabase({ databaseUrl, connections: 1 });
  await database.connection(({ query }) =>
    query(`SELECT pg_terminate_backend(pid)::text AS ended FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`),
  );
  await database.close();
}
