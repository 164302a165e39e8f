// Many expensive calls of one backend: its lists and imports run a few at a time, and the calls of other apps are answered
// meanwhile.
import { bulkOf } from '@foyer/contract';
import { beforeAll, expect, test, vi } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { contractRoutes } from './contract-routes.js';
import { type Answer, type TestUser, testService } from './harness.js';
import { holdTransactions } from './held-transactions.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

let other: NewApp;
let user: TestUser;
const service = shared(() => testService());
beforeAll(async () => {
  other = await service.newApp();
  user = await service.signUp({ appKey: other.app.appKey });
});

const running = () => (service.database.kind === 'postgresql' ? 2 : 1);
/** More than one backend may have in the queue. */
const waiting = 200;

/** The queries of these lists wait until they are released. */
function heldQueries(part: string) {
  const { query } = service.deps;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = { now: 0, most: 0 };
  service.deps.query = async (statement) => {
    if (!statement.text.includes(part)) return query(statement);
    held.now += 1;
    held.most = Math.max(held.most, held.now);
    await released;
    return query<never>(statement).finally(() => {
      held.now -= 1;
    });
  };
  return {
    held,
    end() {
      release();
      service.deps.query = query;
    },
  };
}

function asBackend(method: string, path: string, body?: unknown, { app, secretKey } = service.app) {
  return service.call(method, path, {
    token: secretKey,
    appKey: app.appKey,
    ...(body !== undefined && { body }),
  });
}

test('the routes of backends with pages or large bodies are limited', () => {
  const limited = contractRoutes.flatMap(({ id, route }) => {
    const bulk = bulkOf(route);
    return bulk ? [`${id} ${bulk}`] : [];
  });
  expect(limited).toEqual(
    expect.arrayContaining([
      'users.list read',
      'users.import write',
      'configVersions.replace write',
      'audit.list read',
    ]),
  );
  expect(limited).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(data|profile|tokenVerification)\./)]),
  );
});

test('sixty lists of one backend run a few at a time; the others wait, and other apps are answered', async () => {
  const queries = heldQueries('FROM users');
  const answers = Array.from({ length: 60 }, () => asBackend('GET', '/admin/users?limit=500'));
  await vi.waitUntil(() => queries.held.now === running(), { timeout: 60_000 });
  const me = { token: user.tokens.access_token, appKey: other.app.appKey };
  expect((await service.call('GET', '/me/sessions', me)).status).toBe(200);
  queries.end();
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(queries.held.most).toBe(running());
});

test('lists beyond the queue are refused at once, with the time to retry', async () => {
  const queries = heldQueries('FROM users');
  const beyond = 5;
  const refused: Answer[] = [];
  const answers = Array.from({ length: running() + waiting + beyond }, async () => {
    const answer = await asBackend('GET', '/admin/users');
    if (answer.status !== 200) refused.push(answer);
  });
  await vi.waitUntil(() => refused.length >= beyond, { timeout: 60_000 });
  for (const answer of refused) {
    expectRefusal(answer, 'request/unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  queries.end();
  await Promise.all(answers);
});

test('imports of one backend run one at a time, without a connection while they wait', async () => {
  const held = holdTransactions(service.deps);
  const answers = Array.from({ length: 20 }, (_, i) =>
    asBackend('POST', '/admin/users/import', { users: [{ email: `imported-${i}@example.com` }] }),
  );
  await vi.waitUntil(() => held.began() > 0, { timeout: 60_000 });
  // Each would have begun by then: this call was sent after them.
  const mine = asBackend('GET', '/admin/users', undefined, other);
  expect((await mine).status).toBe(200);
  expect(held.began()).toBe(1);
  held.end();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
});

test('large bodies are parsed in different turns of the event loop', async () => {
  const { parse } = JSON;
  const turns: number[] = [];
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  count();
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length > 500_000) turns.push(turn);
    return parse(text, reviver);
  });
  const parameters = { large: { type: 'string', value: 'x'.repeat(600_000) } };
  try {
    // Refused for its missing If-Match, once it is parsed.
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => asBackend('PUT', '/admin/config?validate_only=true', { parameters })),
    );
    for (const { status } of answers) expect(status).toBe(428);
  } finally {
    counting = false;
    spy.mockRestore();
  }
  expect(turns).toHaveLength(20);
  expect(new Set(turns).size).toBe(20);
});
