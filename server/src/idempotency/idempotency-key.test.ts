// Idempotency keys over HTTP, tested with POST /admin/users, which stores its answer in its own transaction.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { ErrorCode } from '@foyer/contract';
import type { AppRouter } from '@ts-rest/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PasswordHasher } from '../../engines/hashing/index.js';
import { keyRing } from '../../engines/keys/key-ring.js';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { newEmail } from '../../test/code-scenario.js';
import { cutOff } from '../../test/cut-off.js';
import {
  type Answer,
  type CallOptions,
  statementLog,
  type TestService,
  testEncryptionKey,
  testService,
} from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { type CreatedSecretKey, createSecretKey } from '../apps/secret-keys.js';
import type { Handler } from '../http/wrap-handlers.js';
import { ApiError } from '../lib/api-error.js';
import { sha256 } from '../lib/crypto/digest.js';
import { byCommandLine, commandLine } from '../model/actor.js';
import { purge } from '../retention.js';
import { hashOfKey, withIdempotency } from './idempotency-key.js';
import {
  deleteClaim,
  deleteExpiredKeys,
  findKey,
  insertClaim,
  replaceAnswer,
  replaceClaim,
  writeAnswer,
} from './store.js';
import { openAnswer, reencryptStoredResponses, sealAnswer } from './stored-response.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const hour = 3_600_000;
const second = 1_000;

function make(
  key: string,
  body: object,
  { on = service, ...options }: CallOptions & { on?: TestService } = {},
) {
  const headers = { 'idempotency-key': key };
  return on.call('POST', '/admin/users', { token: service.app.secretKey, headers, body, ...options });
}

const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed');
const count = (email: string) => service.database.prisma.user.count({ where: { email } });
const kept = (key: string) =>
  service.database.prisma.idempotencyKey.findMany({ where: { key: hashOfKey(key) } });

async function otherSecretKey(): Promise<CreatedSecretKey> {
  const draft = { name: 'another', scopes: ['users:write' as const], expiresAt: null };
  return createSecretKey(service.deps, byCommandLine(service.app.app.id), draft);
}

/** A call whose operation has begun, and goes on after `letGo`. */
async function runningCall() {
  const [key, body] = [randomUUID(), { email: newEmail(), password: 'long enough' }];
  const { passwordHasher } = service.deps;
  const begun = new EventEmitter();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const hash: PasswordHasher['hash'] = async (...args) => {
    begun.emit('begun');
    await held;
    return passwordHasher.hash(...args);
  };
  const slow = await service.secondInstance({ overrides: { passwordHasher: { ...passwordHasher, hash } } });
  onTestFinished(slow.stop);
  const begins = once(begun, 'begun');
  const first = make(key, body, { on: slow });
  await begins;
  return { key, body, first, letGo };
}

describe('a repeated request with the same key', () => {
  test('gets the first answer again, and creates nothing', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const first = await make(key, { email, claims: { role: 'editor' } });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    const events = await service.database.prisma.event.count();
    const again = await make(key, { claims: { role: 'editor' }, email });
    expect([again.status, replayed(again)]).toEqual([201, 'true']);
    expect(again.text).toBe(first.text);
    expect(await count(email)).toBe(1);
    expect(await service.database.prisma.event.count()).toBe(events);
  });

  test('sent many times concurrently to two instances creates one user and gets equal answers', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const second = await service.secondInstance();
    const body = { email, password: 'long enough' };
    const answers = await Promise.all(
      Array.from({ length: inFull(50, 16) }, (_, place) =>
        make(key, body, { on: place % 2 === 0 ? service : second }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await count(email)).toBe(1);
    await second.stop();
  });

  test('gets a refusal again too', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await make(randomUUID(), { email });
    const refused = await make(key, { email });
    expectRefusal(refused, 'auth/email-already-in-use', null);
    await service.database.prisma.user.deleteMany({ where: { email } });
    const again = await make(key, { email });
    expect([again.status, again.text, replayed(again)]).toEqual([409, refused.text, 'true']);
    expect(await count(email)).toBe(0);
  });

  test('is replayed for 24 hours, and then runs again', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await make(key, { email });
    service.clock.advance(24 * hour - 1);
    expect(replayed(await make(key, { email }))).toBe('true');
    service.clock.advance(1);
    expectRefusal(await make(key, { email }), 'auth/email-already-in-use', null);
  });

  test('sent twice concurrently after its key has expired runs once, and gets equal answers', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await make(key, { email: newEmail() });
    service.clock.advance(24 * hour);
    const [first, second] = await Promise.all([make(key, { email }), make(key, { email })]);
    expect([first.status, second.text]).toEqual([201, first.text]);
    expect([replayed(first), replayed(second)].toSorted()).toEqual([null, 'true']);
  });

  test('has its key deleted by the daily job once it has expired', async () => {
    const key = randomUUID();
    await make(key, { email: newEmail() });
    service.clock.advance(24 * hour - 1);
    await purge(service.deps, 'idempotencyKeys');
    expect(await kept(key)).toHaveLength(1);
    service.clock.advance(1);
    // In batches.
    await make(randomUUID(), { email: newEmail() });
    service.clock.advance(24 * hour);
    expect(await deleteExpiredKeys(service.deps.prisma, service.clock.now(), 1)).toBe(1);
    await purge(service.deps, 'idempotencyKeys');
    expect(await kept(key)).toEqual([]);
  });

  testOnServer('keeps its key if it takes over an expired one while the daily job deletes it', async () => {
    const { deps, database, clock } = service;
    const key = randomUUID();
    await make(key, { email: newEmail() });
    clock.advance(24 * hour);
    const expiresAt = new Date(clock.now().getTime() + 24 * hour);
    const { purged } = await database.prisma.$transaction(async (tx) => {
      await tx.idempotencyKey.updateMany({ where: { key: hashOfKey(key) }, data: { expiresAt } });
      const purged = purge(deps, 'idempotencyKeys');
      await untilBlocked(database, 1, 'idempotency_keys');
      return { purged };
    });
    await purged;
    expect(await kept(key)).toHaveLength(1);
  });
});

describe('the same key', () => {
  test('with another body is refused', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await make(key, { email });
    for (const body of [{ email: newEmail() }, { email, first_name: null }, { email, disabled: false }]) {
      expectRefusal(await make(key, body), 'request/idempotency-key-reused');
    }
    expect(replayed(await make(key, { email }))).toBe('true');
  });

  test('with another condition is refused', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await make(key, { email });
    const headers = { 'idempotency-key': key, 'if-match': '"1-0"' };
    expectRefusal(await make(key, { email }, { headers }), 'request/idempotency-key-reused');
  });

  test('of another secret key or app is a different key', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await make(key, { email });
    const { secretKey: token } = await otherSecretKey();
    expectRefusal(await make(key, { email }, { token }), 'auth/email-already-in-use', null);
    const other = await service.newApp();
    const there = await make(key, { email }, { token: other.secretKey, appKey: other.app.appKey });
    expect([there.status, replayed(there)]).toEqual([201, null]);
  });

  test('is refused for a secret key that lost the scope, or was revoked', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const { key: stored, secretKey: token } = await otherSecretKey();
    expect((await make(key, { email }, { token })).status).toBe(201);
    const where = { id: stored.id };
    await service.database.prisma.secretKey.updateMany({ where, data: { scopes: ['users:read'] } });
    expectRefusal(await make(key, { email }, { token }), 'admin/insufficient-scope');
    await service.database.prisma.secretKey.updateMany({ where, data: { revokedAt: service.clock.now() } });
    expectRefusal(await make(key, { email }, { token }), 'admin/invalid-secret-key');
  });

  test('is free after a body that violates the contract', async () => {
    const key = randomUUID();
    expectRefusal(await make(key, { email: 'no email' }), 'request/validation-failed', null);
    expect((await make(key, { email: newEmail() })).status).toBe(201);
  });

  test.each([
    ['a 5xx answer', 503, () => new ApiError('request/unavailable', { retryAfterSeconds: 1 })],
    ['an error of the catalogue that is internal', 500, () => new ApiError('request/internal-error')],
    ['an unexpected error', 500, () => new Error('broken')],
    ['a refusal by a rate limit', 429, () => new ApiError('request/rate-limited', { retryAfterSeconds: 1 })],
  ])('is free after %s', async (_, status, errorOf) => {
    const [key, body] = [randomUUID(), { email: newEmail(), password: 'long enough' }];
    const passwordHasher = { ...service.deps.passwordHasher, hash: () => Promise.reject(errorOf()) };
    const failing = await service.secondInstance({ overrides: { passwordHasher } });
    expect((await make(key, body, { on: failing })).status).toBe(status);
    expect(await kept(key)).toEqual([]);
    expect([(await make(key, body)).status, await count(body.email)]).toEqual([201, 1]);
    await failing.stop();
  });

  test('is free a minute after a refusal that could not be stored, which is answered all the same', async () => {
    const [key, body] = [randomUUID(), { email: newEmail(), password: 'long enough' }];
    const { state, prisma } = cutOff(service.database);
    state.away = false;
    const hash = async () => {
      state.away = true;
      throw new ApiError('request/validation-failed', { fields: { password: ['is refused'] } });
    };
    const passwordHasher = { ...service.deps.passwordHasher, hash };
    const logged: string[] = [];
    const away = await service.secondInstance({
      database: { ...service.database, prisma, close: async () => {} },
      overrides: { passwordHasher },
      onLogLine: (line) => logged.push(line),
    });
    onTestFinished(away.stop);
    const answer = await make(key, body, { on: away });
    state.away = false;
    expectRefusal(answer, 'request/validation-failed', { password: ['is refused'] });
    expect(logged.filter((line) => line.includes('could not be stored'))).toHaveLength(1);
    service.clock.advance(60 * second);
    expect((await make(key, body)).status).toBe(201);
  });
});

describe('a first call that is still running', () => {
  test('blocks others for a minute, each a few seconds; they are refused without any effect or get its answer', async () => {
    const { key, body, first, letGo } = await runningCall();
    service.clock.advance(60 * second - 1);
    let waited = 0;
    const pause = vi.spyOn(timers, 'setTimeout').mockImplementation(async (milliseconds) => {
      waited += milliseconds ?? 0;
      return undefined as never;
    });
    syncBuiltinESMExports();
    const refused = await make(key, body);
    pause.mockRestore();
    syncBuiltinESMExports();
    expect(waited / second).toBeCloseTo(5, 0);
    expectRefusal(refused, 'request/idempotency-key-in-progress', null);
    expect(refused.headers.get('retry-after')).toBe('1');
    const waiting = make(key, body);
    letGo();
    const answers = await Promise.all([first, waiting]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map(replayed)).toEqual([null, 'true']);
  });

  test.each([
    ['after a minute', 60],
    ['when the clock steps back by a minute', -60],
  ])('loses the key %s: another call replaces it, and the first then changes nothing', async (_, seconds) => {
    const { key, body, first, letGo } = await runningCall();
    service.clock.advance(seconds * second);
    const other = await make(key, body);
    expect([other.status, replayed(other)]).toEqual([201, null]);
    // The deletion lets the second call create the account as well.
    await service.database.prisma.user.deleteMany({ where: { email: body.email } });
    letGo();
    expectRefusal(await first, 'request/unavailable', null);
    expect(await count(body.email)).toBe(0);
    expect((await make(key, body)).text).toBe(other.text);
  });
});

describe('of two requests that take over one key', () => {
  const place = () => ({
    appId: 'app',
    actor: 'secret_key:x',
    route: 'POST /users',
    key: randomUUID(),
  });
  const claimOf = (claimId: string) => ({
    ...{ claimId, claimedAt: service.clock.now(), keyId: 1, request: new Uint8Array(32) },
    expiresAt: new Date(service.clock.now().getTime() + hour),
  });
  const bytes = new Uint8Array([1, 1]);

  test('one has it, and the other changes nothing', async () => {
    const { prisma } = service.deps;
    const at = place();
    await insertClaim(prisma, at, claimOf('first'));
    const found = { claimId: 'first', answer: null };
    expect(await replaceClaim(prisma, at, found, claimOf('second'))).toBe(true);
    expect(await replaceClaim(prisma, at, found, claimOf('third'))).toBe(false);
    await deleteClaim(prisma, at, 'first');
    expect(await findKey(prisma, at)).toMatchObject({ claimId: 'second', answer: null });
  });

  test('neither takes it from an answer that was stored meanwhile', async () => {
    const { prisma } = service.deps;
    const at = place();
    await insertClaim(prisma, at, claimOf('first'));
    expect(await writeAnswer(prisma, at, 'first', bytes)).toBe(true);
    expect(await replaceClaim(prisma, at, { claimId: 'first', answer: null }, claimOf('second'))).toBe(false);
    await deleteClaim(prisma, at, 'first');
    // Nor does a re-encryption that has read another answer replace it.
    const former = { ...at, answer: new Uint8Array([2, 2]) };
    const renewed = { keyId: 2, request: new Uint8Array(32), answer: former.answer };
    expect(await replaceAnswer(prisma, former, renewed)).toBe(0);
    expect(await findKey(prisma, at)).toMatchObject({ claimId: 'first', answer: bytes });
  });
});

test('the transaction that creates the user writes the answer, so that a crash leaves both or neither', async () => {
  const sent = await statements.during(() => make(randomUUID(), { email: newEmail() }));
  const places = [/^BEGIN/, /INSERT INTO users/, /UPDATE idempotency_keys SET answer/, /^COMMIT/].map(
    (pattern) => sent.findIndex((sql) => pattern.test(sql)),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(sent.filter((sql) => sql.includes('UPDATE idempotency_keys'))).toHaveLength(1);
});

test('a key has 1 to 255 characters', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const refused = await make(key, { email: newEmail() });
    expectRefusal(refused, 'request/validation-failed', null);
    expect(Object.keys(refused.json.error.fields)).toEqual(['Idempotency-Key']);
  }
  for (const key of ['x', 'y'.repeat(255)]) {
    const email = newEmail();
    expect((await make(key, { email })).status).toBe(201);
    expect(replayed(await make(key, { email }))).toBe('true');
  }
});

test('a stored refusal with a code of another version is answered as unavailable, and creates nothing', async () => {
  const [key, email] = [randomUUID(), newEmail()];
  await make(randomUUID(), { email });
  await make(key, { email });
  const row = await service.database.prisma.idempotencyKey.findFirstOrThrow({
    where: { key: hashOfKey(key) },
  });
  const { keyRing: ring } = service.deps;
  const { digest } = openAnswer(ring, row, row.answer as Uint8Array);
  const refusal = { code: 'auth/of-another-version' as ErrorCode, fields: {} };
  const answer = new Uint8Array(sealAnswer(ring, row, Buffer.from(digest, 'base64'), refusal));
  await service.database.prisma.idempotencyKey.updateMany({ where: { key: row.key }, data: { answer } });
  const refused = await make(key, { email });
  expectRefusal(refused, 'request/unavailable', null);
  expect([refused.headers.get('retry-after'), replayed(refused)]).toEqual(['1', null]);
  expect(await count(email)).toBe(1);
});

test('a key that is released while another request looks it up is claimed by that request', async () => {
  const { deps } = service;
  const [key, email] = [randomUUID(), newEmail()];
  await make(key, { email });
  await service.database.prisma.user.deleteMany({ where: { email } });
  let lookups = 0;
  const prisma = new Proxy(deps.prisma, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== '$queryRaw') return value;
      return async (sql: TemplateStringsArray, ...values: unknown[]) => {
        if (sql.join('').includes('FROM idempotency_keys')) {
          lookups += 1;
          await target.idempotencyKey.deleteMany({ where: { key: hashOfKey(key) } });
        }
        return value.call(target, sql, ...values);
      };
    },
  });
  const other = await service.secondInstance({
    database: { ...service.database, prisma, close: async () => {} },
  });
  onTestFinished(other.stop);
  const answer = await make(key, { email }, { on: other });
  expect([answer.status, replayed(answer), lookups, await count(email)]).toEqual([201, null, 1, 1]);
});

test('an answer that no transaction stores is replayed with its ETag and Location', async () => {
  const routes = {
    create: { method: 'POST', path: '/things', responses: {}, metadata: { idempotencyKey: true } },
  } as unknown as AppRouter;
  const handler: Handler = async ({ res }) => {
    res.setHeader('ETag', '"1-0"');
    res.setHeader('Location', '/things/1');
    res.setHeader('X-Other', 'not stored');
    return { status: 201, body: { id: 1 } };
  };
  const { create } = withIdempotency(service.deps, routes, { create: handler });
  const [key, { app }] = [randomUUID(), service.app];
  async function answerAndHeaders() {
    const headers: Record<string, string> = {};
    const req = { headers: { 'idempotency-key': key }, call: { app, actor: commandLine } };
    const res = {
      setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }),
      getHeader: (name: string) => headers[name],
      set: (sent: object) => Object.assign(headers, sent),
    };
    return [await create({ req, res } as unknown as Parameters<Handler>[0]), headers];
  }
  const answer = { status: 201, body: { id: 1 } };
  const stored = { ETag: '"1-0"', Location: '/things/1' };
  expect(await answerAndHeaders()).toEqual([answer, { ...stored, 'X-Other': 'not stored' }]);
  expect(await answerAndHeaders()).toEqual([answer, { ...stored, 'Idempotent-Replayed': 'true' }]);
});

test('a route without idempotency ignores the key', async () => {
  const headers = { 'idempotency-key': '' };
  const answer = await service.call('GET', '/admin/settings', { token: service.app.secretKey, headers });
  expect(answer.status).toBe(200);
});

describe('at rest', () => {
  test('neither request, answer nor key is readable', async () => {
    const email = newEmail();
    const key = `create ${email}`;
    await make(key, { email, first_name: 'Legible' });
    const [row] = await kept(key);
    for (const bytes of [row?.request, row?.answer]) {
      expect(Buffer.from(bytes as Uint8Array).toString('latin1')).not.toMatch(/Legible|example/);
    }
    expect(JSON.stringify(row)).not.toContain(email);
    expect(await service.database.prisma.idempotencyKey.count({ where: { key } })).toBe(0);
    expect(row?.request).not.toEqual(
      new Uint8Array(sha256(JSON.stringify({ email, first_name: 'Legible' }))),
    );
  });

  test('a key survives a change of ENCRYPTION_KEYS that re-encrypts all rows', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const first = await make(key, { email });
    const appId = service.app.app.id;
    // A call that is still running has no answer yet.
    const { letGo, first: running } = await runningCall();
    const next = 'the next secret key, which is long enough as well';
    const both = keyRing([next, testEncryptionKey], service.deps.random);
    const renewed = await reencryptStoredResponses({ prisma: service.deps.prisma, keyRing: both }, appId);
    expect(renewed).toBeGreaterThan(0);
    expect(await reencryptStoredResponses({ prisma: service.deps.prisma, keyRing: both }, appId)).toBe(0);
    letGo();
    expect((await running).status).toBe(201);
    const [row] = await kept(key);
    const only = keyRing([next], service.deps.random);
    expect([row?.keyId, only.keyIdOf(row?.answer as Uint8Array)]).toEqual([
      both.currentKeyId,
      both.currentKeyId,
    ]);
    // An instance without the new key cannot decrypt the answer.
    expectRefusal(await make(key, { email }), 'request/unavailable', null);
    const back = keyRing([testEncryptionKey, next], service.deps.random);
    await reencryptStoredResponses({ prisma: service.deps.prisma, keyRing: back }, appId);
    const again = await make(key, { email });
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expectRefusal(await make(key, { email: newEmail() }), 'request/idempotency-key-reused');
  });
});
