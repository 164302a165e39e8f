// GET /admin/stats: what is counted, on which day, and what is not.
import type { DailyStats, ErrorCode } from '@foyer/contract';
import { beforeEach, expect, test } from 'vitest';
import { codeScenario, wrongCode } from '../../test/code-scenario.js';
import { busyPasswordHasher, type TestUser } from '../../test/harness.js';
import { clients, providerScenario, settings } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { v1Scenario } from '../../test/v1-scenario.js';
import type { NewApp } from '../apps/create-app.js';
import { purge } from '../retention.js';

const scenario = shared(() => providerScenario());
let app: NewApp;
beforeEach(async () => {
  scenario.service.clock.set(noon);
  app = await scenario.service.newApp();
});

const noon = new Date('2026-03-01T12:00:00.123Z');
const day = 24 * 60 * 60 * 1_000;
const own = () => ({ appKey: app.app.appKey });
const v1 = v1Scenario(() => scenario.service);
const codes = codeScenario(() => scenario.service);
const call = (method: string, path: string, body?: object, more: object = {}) =>
  scenario.service.call(method, path, { ...own(), ...(body && { body }), ...more });
const backend = (method: string, path: string, body?: object) =>
  call(method, path, body, { token: app.secretKey });
const signUp = (): Promise<TestUser> => scenario.service.signUp(own());
const signIn = ({ email, password }: { email: string; password: string }) =>
  call('POST', '/auth/sign-in', { email, password });

async function daysOf(query = ''): Promise<DailyStats[]> {
  const answer = await backend('GET', `/admin/stats${query}`);
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return answer.json.data.days;
}

async function today(): Promise<DailyStats> {
  const date = scenario.service.clock.now().toISOString().slice(0, 10);
  const [only, ...more] = await daysOf(`?from=${date}&to=${date}`);
  expect(more).toEqual([]);
  return only as DailyStats;
}

const noSignIns = {
  ...{ password: 0, email_code: 0, passkey: 0, v1_exchange: 0 },
  ...{ provider_a: 0, provider_b: 0, provider: 0 },
};
const nothing = {
  sign_ups: 0,
  sign_ups_by_backend: 0,
  sign_ins: noSignIns,
  failed_sign_ins: 0,
  second_factor_sign_ins: 0,
  failed_second_factors: 0,
  active_users: 0,
  v1_active_users: 0,
  errors: {},
};

test('an unused app has zeros for each of the last 30 days, whatever other apps count', async () => {
  await scenario.service.signUp();
  const days = await daysOf();
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ date: '2026-01-31', ...nothing });
  expect(days.at(-1)).toEqual({ date: '2026-03-01', ...nothing });
});

test('an invalid range of days is rejected', async () => {
  for (const [query, field] of [
    ['?from=2026-03-02', 'from'],
    ['?from=1999-12-31&to=1999-12-31', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=today', 'from'],
    ['?day=2026-03-01', 'query'],
  ] as const) {
    const answer = await backend('GET', `/admin/stats${query}`);
    expect([answer.status, answer.code]).toEqual([422, 'request/validation-failed']);
    expect(Object.keys(answer.json.error.fields)).toContain(field);
  }
});

test('every way to sign in counts by its method, and each user counts as active once', async () => {
  const { client_ids } = settings.provider_a;
  await scenario.service.changeSettings({ ...settings, provider_a: { client_ids } }, app);
  const user = await signUp();
  await signIn(user);
  await signIn(user);
  await call('POST', '/auth/email-code/send', { email: user.email });
  const [mail] = await scenario.service.mailbox(user.email);
  const verified = await call('POST', '/auth/email-code/verify', { email: user.email, code: mail?.code });
  expect(
    (await scenario.signInA(await scenario.bodyOfA({ claims: { aud: clients.web } }), own())).status,
  ).toBe(200);
  const personB = { claims: { sub: 'person-b', email: 'b@example.com', aud: clients.bundle } };
  expect((await scenario.signInB(await scenario.bodyOfB(personB), own())).status).toBe(200);
  const { refresh_token } = verified.json.data;
  expect((await scenario.service.refresh(refresh_token, app.app.appKey)).status).toBe(200);
  expect(await today()).toEqual({
    date: '2026-03-01',
    ...nothing,
    sign_ups: 3,
    sign_ins: { ...noSignIns, password: 3, email_code: 1, provider_a: 1, provider_b: 1 },
    active_users: 3,
  });
});

test('v1 counts registrations, users and failures; an exchange is a sign-in of v2', async () => {
  const first = await v1.register({}, own());
  const second = await v1.register({}, own());
  const token = await v1.logIn(first, own());
  await v1.me(token, own());
  await v1.call('POST', '/login', { ...own(), body: { email: second.email, password: 'a wrong one' } });
  expect((await v1.exchange(token, own())).status).toBe(200);
  expect((await v1.exchange(token, own())).code).toBe('auth/invalid-token');
  expect(await today()).toEqual({
    date: '2026-03-01',
    ...nothing,
    sign_ups: 2,
    sign_ins: { ...noSignIns, v1_exchange: 1 },
    failed_sign_ins: 2,
    active_users: 1,
    v1_active_users: 2,
    errors: { 'auth/invalid-credential': 1, 'auth/invalid-token': 1 },
  });
});

test('a user created by the backend is a sign-up; imported users are not', async () => {
  expect((await backend('POST', '/admin/users', { email: 'one@example.com' })).status).toBe(201);
  expect((await backend('POST', '/admin/users', { email: 'one@example.com' })).status).toBe(409);
  const users = [{ email: 'two@example.com' }, { email: 'three@example.com' }];
  expect((await backend('POST', '/admin/users/import', { users })).data).toMatchObject({ created: 2 });
  expect(await today()).toMatchObject({
    sign_ups: 1,
    sign_ups_by_backend: 1,
    active_users: 0,
    errors: { 'auth/email-already-in-use': 1 },
  });
});

test('the totals count the users of the app alone, imported and disabled ones included', async () => {
  await scenario.service.signUp();
  await signUp();
  await backend('POST', '/admin/users', { email: 'one@example.com' });
  await backend('POST', '/admin/users/import', { users: [{ email: 'two@example.com', disabled: true }] });
  expect((await backend('GET', '/admin/stats')).json.data.totals).toEqual({
    users: 3,
    as_of: '2026-03-01T12:00:00.123000Z',
  });
});

test('wrong passwords, wrong codes and refused provider tokens are failed sign-ins', async () => {
  await scenario.service.changeSettings(settings, app);
  const user = await signUp();
  await signIn({ ...user, password: 'a wrong one' });
  await signIn({ email: 'nobody@example.com', password: 'a wrong one' });
  await codes.send(user.email, own());
  const [mail] = await scenario.service.mailbox(user.email);
  const code = wrongCode(mail?.code ?? '');
  await call('POST', '/auth/email-code/verify', { email: user.email, code });
  await scenario.signInA({ id_token: 'not a token', nonce: 'n' }, own());
  // An error, and no failed sign-in: the user is signed in.
  const { access_token: token } = user.tokens;
  await call('POST', '/auth/reauthenticate', { password: 'a wrong one' }, { token });
  const { failed_sign_ins, sign_ins, errors } = await today();
  expect({ failed_sign_ins, sign_ins, errors }).toEqual({
    failed_sign_ins: 4,
    sign_ins: { ...noSignIns, password: 1 },
    errors: { 'auth/invalid-credential': 4, 'auth/invalid-code': 1 },
  });
});

test('every refusal of a known app is counted by its code, and names that callers invent are not', async () => {
  const unknown = await scenario.service.call('GET', '/me', { appKey: 'pk_unknown' });
  expect(unknown.code).toBe('request/invalid-app-key');
  await call('GET', '/me');
  await call('GET', '/me', undefined, { token: 'made up' });
  await call('GET', '/made-up-path');
  await call('POST', '/auth/sign-in', { email: 'made up' });
  await call('POST', '/auth/sign-in', undefined, { body: '{' });
  const busy = await scenario.service.secondInstance({
    overrides: { passwordHasher: await busyPasswordHasher() },
  });
  const body = { email: 'x@example.com', password: 'correct horse battery staple' };
  expect((await busy.call('POST', '/auth/sign-up', { ...own(), body })).status).toBe(503);
  await busy.stop();
  expect((await today()).errors).toEqual({
    'auth/invalid-token': 2,
    'request/validation-failed': 1,
    'request/malformed-json': 1,
    'request/unavailable': 1,
  } satisfies Partial<Record<ErrorCode, number>>);
});

test('calls count for the day in UTC on which they arrive', async () => {
  const { clock } = scenario.service;
  const user = await signUp();
  const account = await v1.register({}, own());
  const token = await v1.logIn(account, own());
  clock.set(new Date('2026-03-01T23:59:59.999Z'));
  await signIn(user);
  await v1.me(token, own());
  clock.set(new Date('2026-03-02T00:00:00.000Z'));
  await scenario.service.refresh(user.tokens.refresh_token, app.app.appKey);
  // Within the hour after the last recorded use of v1.
  await v1.me(token, own());
  await signIn({ ...user, password: 'a wrong one' });
  const [first, second] = await daysOf('?from=2026-03-01&to=2026-03-02');
  expect(first).toMatchObject({
    sign_ups: 2,
    sign_ins: { password: 2 },
    failed_sign_ins: 0,
    active_users: 1,
    v1_active_users: 1,
  });
  expect(second).toMatchObject({
    sign_ups: 0,
    sign_ins: { password: 0 },
    failed_sign_ins: 1,
    active_users: 1,
    v1_active_users: 1,
  });
});

test('two instances add to the same counters, and count a user once together', async () => {
  const other = await scenario.service.secondInstance();
  const user = await signUp();
  const { email, password } = user;
  expect((await other.call('POST', '/auth/sign-in', { ...own(), body: { email, password } })).status).toBe(
    200,
  );
  await Promise.all([scenario.service.deps.dailyCounters.flush(), other.deps.dailyCounters.flush()]);
  expect(await today()).toMatchObject({ sign_ins: { password: 2 }, active_users: 1 });
  await other.stop();
});

test('days are stored for 400 days, and the active users of a day until the end of the next', async () => {
  const { prisma } = scenario.service.database;
  await signUp();
  expect(await today()).toMatchObject({ sign_ups: 1, active_users: 1 });
  const where = { appId: app.app.id };
  const left = async () => {
    await purge(scenario.service.deps, 'dailyStats', 'dailyActiveUsers');
    return [await prisma.dailyStat.count({ where }), await prisma.dailyActiveUser.count({ where })];
  };
  const { clock } = scenario.service;
  clock.set(new Date('2026-03-02T23:59:59.999Z'));
  expect(await left()).toEqual([3, 1]);
  clock.set(new Date('2026-03-03T00:00:00.000Z'));
  expect(await left()).toEqual([3, 0]);
  clock.set(new Date(Date.parse('2026-03-01T23:59:59.999Z') + 400 * day));
  expect(await left()).toEqual([3, 0]);
  clock.advance(1);
  expect(await left()).toEqual([0, 0]);
});
