// Hourly limits of an app as a whole: accounts created, and codes mailed to emails without an account.
import type { AppSettingsPatch } from '@foyer/contract';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { codeScenario, newEmail } from './code-scenario.js';
import type { Answer } from './harness.js';
import { from, limitedService, newAddress } from './limited-service.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { expectV1Refusal, v1Scenario } from './v1-scenario.js';

const hour = 3_600_000;

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * hour));

const scenario = codeScenario(() => service);
const v1 = v1Scenario(() => service);
const unlimited = { sign_ups_per_hour: 1_000, mails_to_strangers_per_hour: 1_000 };
/** Until the end of the test. */
async function limit(limits: AppSettingsPatch['limits']): Promise<void> {
  onTestFinished(() => service.changeSettings({ limits: unlimited }));
  await service.changeSettings({ limits });
}

async function reached(setting: string): Promise<number> {
  const where = { action: 'app.limit_reached', target: `app:${service.app.app.id}` };
  const rows = await service.auditEntries(where);
  return rows.filter(({ details }) => (details as { limit: string }).limit === setting).length;
}

describe('accounts created in an hour', () => {
  const doors: [string, (email: string) => Promise<Answer>][] = [
    ['sign-up', (email) => service.signUpFrom(newAddress(), email)],
    [
      'register of v1',
      (email) => v1.call('POST', '/register', { ...from(newAddress()), body: { ...v1.bodyOf(), email } }),
    ],
    [
      'an emailed code',
      async (email) => {
        await scenario.send(email, from(newAddress()));
        return scenario.verify(email, await scenario.codeOf(email, 'sign_in'), from(newAddress()));
      },
    ],
  ];

  test('are limited across all endpoints and IP addresses, with one audit entry an hour', async () => {
    const before = await reached('sign_ups_per_hour');
    await limit({ sign_ups_per_hour: 3 });
    const user = await service.newUser();
    for (const [, makeAccount] of doors.slice(0, 2)) expect((await makeAccount(newEmail())).status).toBe(201);
    expect(await reached('sign_ups_per_hour')).toBe(before + 1);
    for (const [name, makeAccount] of doors) {
      const refused = await makeAccount(newEmail());
      if (name === 'register of v1') expectV1Refusal(refused, 429);
      else expectRefusal(refused, 'request/rate-limited');
      expect(refused.headers.get('retry-after')).toBe('3600');
      expect(refused.headers.get('ratelimit-policy')).toBe('"sign-ups";q=3;w=3600');
    }
    expect(await reached('sign_ups_per_hour')).toBe(before + 1);
    // Sign-in and other apps are unaffected, and accounts that the backend creates are not counted.
    expect((await service.signInFrom(newAddress(), user.email, user.password)).status).toBe(200);
    const { app } = await service.newApp();
    const body = { email: newEmail(), password: 'right password' };
    const elsewhere = { appKey: app.appKey, body, ...from(newAddress()) };
    expect((await service.call('POST', '/auth/sign-up', elsewhere)).status).toBe(201);
    const own = { token: service.app.secretKey, body: { email: newEmail() } };
    expect((await service.call('POST', '/admin/users', own)).status).toBe(201);
    service.clock.advance(hour);
    expect((await service.signUpFrom(newAddress())).status).toBe(201);
  });

  test('a sign-up that creates no account is not counted, and a code refused by the limit works later', async () => {
    await limit({ sign_ups_per_hour: 2 });
    const { email } = await service.newUser();
    for (let tries = 0; tries < 3; tries += 1) {
      expectRefusal(await service.signUpFrom(newAddress(), email), 'auth/email-already-in-use', null);
    }
    const same = newEmail();
    const together = await Promise.all([same, same].map((taken) => service.signUpFrom(newAddress(), taken)));
    expect(together.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    const late = newEmail();
    service.clock.advance(hour - 1_000);
    await scenario.send(late, from(newAddress()));
    const code = await scenario.codeOf(late, 'sign_in');
    expectRefusal(await scenario.verify(late, code, from(newAddress())), 'request/rate-limited');
    service.clock.advance(1_000);
    expect((await scenario.verify(late, code, from(newAddress()))).status).toBe(200);
  });
});

test('codes to emails without an account stop at the limit with an unchanged answer and unchanged rows', async () => {
  const before = await reached('mails_to_strangers_per_hour');
  const users = [await service.newUser(), await service.newUser()];
  await limit({ mails_to_strangers_per_hour: 3 });
  const mails = async (email: string) => (await scenario.mailed(email)).length;
  const send = async (email: string) => {
    const answer = await scenario.send(email, from(newAddress()));
    expect(answer).toMatchObject({ status: 200, text: '{"data":{"expires_in":600}}' });
    return [...answer.headers.keys()];
  };
  const change = (email: string) =>
    service.call('POST', '/me/email', {
      token: users[0]?.tokens.access_token,
      body: { email },
      ...from(newAddress()),
    });
  const strangers = [newEmail(), newEmail(), newEmail(), newEmail(), newEmail()];
  const [first = '', second = '', changed = '', late = '', lateChange = ''] = strangers;
  const headers = await send(first);
  await send(second);
  expect((await change(changed)).status).toBe(200);
  expect(await reached('mails_to_strangers_per_hour')).toBe(before + 1);
  expect(await send(late)).toEqual(headers);
  expect((await change(lateChange)).status).toBe(200);
  // Emails with an account still get mail, and a reset never mails an email without an account.
  const known = users[1]?.email as string;
  expect(await send(known)).toEqual(headers);
  await scenario.forgot(late, from(newAddress()));
  const codes = await service.database.prisma.code.findMany({ where: { email: { in: [late, known] } } });
  expect(codes.map(({ email, purpose }) => [email, purpose]).sort()).toEqual(
    [
      [late, 'reset'],
      [late, 'sign_in'],
      [known, 'sign_in'],
    ].sort(),
  );
  expect(await Promise.all(strangers.map(mails))).toEqual([1, 1, 1, 0, 0]);
  expect(await mails(known)).toBe(1);
  expect(await reached('mails_to_strangers_per_hour')).toBe(before + 1);
  service.clock.advance(hour);
  await send(late);
  expect(await mails(late)).toBe(1);
});
