// Hourly limits of an app as a whole: accounts created, and codes mailed to emails without an account. How a limit is shared
// between networks: server/engines/limiter/hourly-budget.test.ts.
import type { AppSettingsPatch } from '@foyer/contract';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { codeScenario, newEmail } from './code-scenario.js';
import type { Answer } from './harness.js';
import { from, limitedService, newNetwork } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { expectV1Refusal, v1Scenario } from './v1-scenario.js';

const minute = 60_000;
const hour = 60 * minute;

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * hour));

const scenario = codeScenario(() => service);
const v1 = v1Scenario(() => service);
const unlimited = { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 };
/** Sets the limits until the end of the test. */
async function limit(limits: AppSettingsPatch['limits']): Promise<void> {
  onTestFinished(() => service.changeSettings({ limits: unlimited }));
  await service.changeSettings({ limits });
}

async function reached(setting: string): Promise<number> {
  const where = { action: 'app.limit_reached', actor: 'service', target: `app:${service.app.app.id}` };
  const rows = await service.auditEntries(where);
  return rows.filter(({ details }) => (details as { limit: string }).limit === setting).length;
}

describe('accounts created in an hour', () => {
  const unproven: [string, (email: string, address: string) => Promise<Answer>][] = [
    ['sign-up', (email, address) => service.signUpFrom(address, email)],
    [
      'register of v1',
      (email, address) => v1.call('POST', '/register', { ...from(address), body: { ...v1.bodyOf(), email } }),
    ],
  ];
  const proven = async (email: string, address: string) => {
    await scenario.send(email, from(address));
    return scenario.verify(email, await scenario.codeOf(email, 'sign_in'), from(address));
  };

  test('are limited across all endpoints, with one audit entry an hour', async () => {
    const before = await reached('sign_ups_per_hour');
    await limit({ sign_ups_per_hour: 3 });
    const user = await service.newUser();
    for (const [, makeAccount] of unproven) {
      expect((await makeAccount(newEmail(), newNetwork())).status).toBe(201);
    }
    expect(await reached('sign_ups_per_hour')).toBe(before + 1);
    // One network in ten minutes is served beyond the limit.
    const served = newNetwork();
    expect((await service.signUpFrom(served)).status).toBe(201);
    for (const [name, makeAccount] of unproven) {
      const refused = await makeAccount(newEmail(), newNetwork());
      if (name === 'register of v1') expectV1Refusal(refused, 429);
      else expectRefusal(refused, 'request/rate-limited');
      expect(refused.headers.get('retry-after')).toBe('600');
      expect(refused.headers.get('ratelimit-policy')).toBe('"sign-ups-slow";q=1;w=600');
    }
    expect(await reached('sign_ups_per_hour')).toBe(before + 1);
    // Sign-in, sign-ups that prove the email, and other apps are unaffected; accounts that the backend creates are not counted.
    expect((await service.signInFrom(newNetwork(), user.email, user.password)).status).toBe(200);
    expect((await proven(newEmail(), served)).status).toBe(200);
    const { app } = await service.newApp();
    const body = { email: newEmail(), password: 'right password' };
    const elsewhere = { appKey: app.appKey, body, ...from(newNetwork()) };
    expect((await service.call('POST', '/auth/sign-up', elsewhere)).status).toBe(201);
    const own = { token: service.app.secretKey, body: { email: newEmail() } };
    expect((await service.call('POST', '/admin/users', own)).status).toBe(201);
    service.clock.advance(10 * minute);
    expectRefusal(await service.signUpFrom(served), 'request/rate-limited');
    expect((await service.signUpFrom(newNetwork())).status).toBe(201);
    service.clock.advance(hour);
    expect((await service.signUpFrom(served)).status).toBe(201);
  });

  test('one network leaves half of them to others, and the audit log names it', async () => {
    await limit({ sign_ups_per_hour: 8 });
    const flood: number[] = [];
    for (let place = 1; place <= 10; place += 1) {
      flood.push((await service.signUpFrom(`2001:db8:7:${place}::1`)).status);
    }
    expect(flood.filter((status) => status === 201)).toHaveLength(4);
    expect(flood.slice(4)).toEqual(new Array(6).fill(429));
    const entries = await service.auditEntries({ action: 'app.limit_reached', actor: 'anonymous' });
    expect(entries.map(({ details, ip }) => ({ details, ip }))).toContainEqual({
      details: expect.objectContaining({ limit: 'sign_ups_per_hour', reached_by: 'network' }),
      ip: expect.stringContaining('2001:db8:7:'),
    });
    for (let place = 0; place < 4; place += 1) {
      expect((await service.signUpFrom(newNetwork())).status).toBe(201);
    }
  });

  test('a sign-up that creates no account is not counted', async () => {
    await limit({ sign_ups_per_hour: 2 });
    const { email } = await service.newUser();
    for (let tries = 0; tries < 3; tries += 1) {
      expectRefusal(await service.signUpFrom(newNetwork(), email), 'auth/email-already-in-use', null);
    }
    const same = newEmail();
    const together = await Promise.all([same, same].map((taken) => service.signUpFrom(newNetwork(), taken)));
    expect(together.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
  });

  test('a code refused by the limit works later', async () => {
    await limit({ sign_ups_per_hour: 1 });
    expect((await proven(newEmail(), newNetwork())).status).toBe(200);
    expect((await proven(newEmail(), newNetwork())).status).toBe(200);
    service.clock.advance(9.5 * minute);
    const [late, address] = [newEmail(), newNetwork()];
    await scenario.send(late, from(address));
    const code = await scenario.codeOf(late, 'sign_in');
    expectRefusal(await scenario.verify(late, code, from(address)), 'request/rate-limited');
    service.clock.advance(minute / 2);
    expect((await scenario.verify(late, code, from(address))).status).toBe(200);
  });
});

test('codes to emails without an account stop at the limit with an unchanged answer and unchanged rows', async () => {
  const before = await reached('mails_to_strangers_per_hour');
  const users = [await service.newUser(), await service.newUser()];
  await limit({ mails_to_strangers_per_hour: 3 });
  const mails = async (email: string) => (await scenario.mailed(email)).length;
  const send = async (email: string) => {
    const answer = await scenario.send(email, from(newNetwork()));
    expect(answer).toMatchObject({ status: 200, text: '{"data":{"expires_in":600}}' });
    return [...answer.headers.keys()];
  };
  const change = (email: string) =>
    service.call('POST', '/me/email', {
      token: users[0]?.tokens.access_token,
      body: { email },
      ...from(newNetwork()),
    });
  const [first, second, late] = [newEmail(), newEmail(), newEmail()];
  const changed = [newEmail(), newEmail(), newEmail(), newEmail(), newEmail()];
  const headers = await send(first);
  await send(second);
  expect(await reached('mails_to_strangers_per_hour')).toBe(before);
  await send(newEmail());
  expect(await reached('mails_to_strangers_per_hour')).toBe(before + 1);
  // One network in ten minutes gets a mail beyond the limit.
  await send(newEmail());
  expect(await send(late)).toEqual(headers);
  // Signed-in users have a limit of their own.
  for (const email of changed) expect((await change(email)).status).toBe(200);
  // Emails with an account still get mail, and a reset never mails an email without an account.
  const known = users[1]?.email as string;
  expect(await send(known)).toEqual(headers);
  await scenario.forgot(late, from(newNetwork()));
  const codes = await service.database.prisma.code.findMany({ where: { email: { in: [late, known] } } });
  expect(codes.map(({ email, purpose }) => [email, purpose]).sort()).toEqual(
    [
      [late, 'reset'],
      [late, 'sign_in'],
      [known, 'sign_in'],
    ].sort(),
  );
  expect(await Promise.all([first, second, late, ...changed].map(mails))).toEqual([1, 1, 0, 1, 1, 1, 1, 0]);
  expect(await mails(known)).toBe(1);
  expect(await reached('mails_to_strangers_per_hour')).toBe(before + 2);
  service.clock.advance(hour);
  await send(late);
  expect(await mails(late)).toBe(1);
});

test('notices to unverified emails stop at the limit of mails to strangers, and leave others theirs', async () => {
  await limit({ mails_to_strangers_per_hour: 8 });
  const changed = async (email: string, address: string, isVerified = false) => {
    const { access_token: token, user } = (await service.signUpFrom(newNetwork(), email)).json.data;
    if (isVerified) {
      const verified = { token: service.app.secretKey, body: { email_verified: true } };
      await service.call('PATCH', `/admin/users/${user.uid}`, verified);
    }
    const body = { password: 'another password' };
    const answer = await service.call('PUT', '/me/password', { token, body, ...from(address) });
    expect(answer.status).toBe(204);
    return (await scenario.mailed(email)).length;
  };
  const network = newNetwork();
  const alarmed: number[] = [];
  for (let place = 0; place < 6; place += 1) alarmed.push(await changed(newEmail(), network));
  expect(alarmed).toEqual([1, 1, 1, 1, 0, 0]);
  const entries = await service.auditEntries({ action: 'app.limit_reached', actor: 'anonymous' });
  expect(entries.map(({ details, ip }) => ({ details, ip }))).toContainEqual({
    details: expect.objectContaining({ limit: 'mails_to_strangers_per_hour', reached_by: 'network' }),
    ip: network,
  });
  expect(await changed(newEmail(), network, true)).toBe(1);
  expect(await changed(newEmail(), newNetwork())).toBe(1);
  const stranger = newEmail();
  await scenario.send(stranger, from(network));
  expect(await scenario.mailed(stranger)).toHaveLength(1);
});

test('notices of changes by a backend stop at the limit of the app, with the change made and one audit entry', async () => {
  const { app, secretKey } = await service.newAppWith({ 'notice-app': { limit: 4, windowSeconds: 3_600 } });
  const own = { appKey: app.appKey, token: secretKey };
  const subjects: string[] = [];
  for (let place = 0; place < 3; place += 1) {
    const email = newEmail();
    const made = await service.call('POST', '/admin/users', { ...own, body: { email } });
    const path = `/admin/users/${made.json.data.uid}`;
    const patched = { password: 'another password', email: newEmail() };
    expect((await service.call('PATCH', path, { ...own, body: patched })).status).toBe(200);
    subjects.push(...(await scenario.mailed(email)).map(({ subject }) => subject));
    expect((await service.call('DELETE', path, own)).status).toBe(204);
    subjects.push(...(await scenario.mailed(patched.email)).map(({ subject }) => subject));
  }
  expect(subjects).toHaveLength(4);
  const entries = await service.auditEntries({ action: 'app.limit_reached', appId: app.id });
  expect(entries.map(({ actor, details }) => ({ actor, details }))).toEqual([
    { actor: 'service', details: { limit: 'notice-app', reached_by: 'app' } },
  ]);
  // A user's own changes are not counted.
  const body = { email: newEmail(), password: 'right password' };
  const user = await service.call('POST', '/auth/sign-up', {
    appKey: app.appKey,
    ...from(newNetwork()),
    body,
  });
  const token = user.json.data.access_token;
  expect((await service.call('DELETE', '/me', { appKey: app.appKey, token })).status).toBe(204);
  expect(await scenario.mailed(body.email)).toHaveLength(1);
});

test('notices of changes by a backend count apart for each tag of an email', async () => {
  const own = { token: service.app.secretKey };
  const [name, host] = newEmail().split('@');
  for (let place = 0; place < 6; place += 1) {
    const email = `${name}+${place}@${host}`;
    const made = await service.call('POST', '/admin/users', { ...own, body: { email } });
    const path = `/admin/users/${made.json.data.uid}`;
    const patched = { password: 'another password' };
    expect((await service.call('PATCH', path, { ...own, body: patched })).status).toBe(200);
    expect(await scenario.mailed(email, 'password_changed')).toHaveLength(1);
  }
});

test('a change of email by a backend is reported to one email five times an hour', async () => {
  const own = { token: service.app.secretKey };
  const email = newEmail();
  for (let place = 0; place < 6; place += 1) {
    const made = await service.call('POST', '/admin/users', { ...own, body: { email } });
    const path = `/admin/users/${made.json.data.uid}`;
    expect((await service.call('PATCH', path, { ...own, body: { email: newEmail() } })).status).toBe(200);
  }
  expect(await scenario.mailed(email, 'email_changed')).toHaveLength(5);
});
