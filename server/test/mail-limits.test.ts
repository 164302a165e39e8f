// That a call over the limit of codes mailed to an email looks like any other, except over the limit by IP. How often they are
// mailed is a rule: server/engines/limiter/mail-limits.test.ts.
import type { TokenAnswer } from '@foyer/contract';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { codeScenario, flowOf, newEmail } from './code-scenario.js';
import { type Answer, type CallOptions, testService } from './harness.js';
import { from, limitedService, newAddress, times } from './limited-service.js';
import { mailServer } from './mail-server.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';
import { v1Scenario } from './v1-scenario.js';

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * hour));

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const scenario = codeScenario(() => service);
const v1 = v1Scenario(() => service);
const mails = async (email: string) => (await scenario.mailed(email)).length;
const answered = { status: 200, text: '{"data":{"expires_in":600}}' };

/** The calls that mail a code to the email, as its user would make them. */
async function sendsOf(kind: string): Promise<{ email: string; send(address: string): Promise<Answer> }> {
  if (kind === 'sign-in') {
    const email = newEmail();
    return { email, send: (address) => scenario.send(email, from(address)) };
  }
  const { email, tokens } = await service.newUser();
  const token = tokens.access_token;
  const next = newEmail();
  const sends: Record<string, { email: string; send(address: string): Promise<Answer> }> = {
    reset: { email, send: (address) => scenario.forgot(email, from(address)) },
    verification: {
      email,
      send: (address) => service.call('POST', '/auth/email/verification/send', { token, ...from(address) }),
    },
    'change of email': {
      email: next,
      send: (address) =>
        service.call('POST', '/me/email', { token, body: { email: next }, ...from(address) }),
    },
  };
  return sends[kind] as { email: string; send(address: string): Promise<Answer> };
}

describe.each(['sign-in', 'reset', 'verification', 'change of email'])('a code for %s', (kind) => {
  test('is mailed to an email once in thirty seconds; over the limit the answer is the same', async () => {
    const { email, send } = await sendsOf(kind);
    const address = newAddress();
    const first = await send(address);
    expect(first).toMatchObject(answered);
    expect(await mails(email)).toBe(1);
    service.clock.advance(30 * second - 1);
    const over = await send(address);
    expect(over).toMatchObject(answered);
    expect([...over.headers.keys()]).toEqual([...first.headers.keys()]);
    expect(await mails(email)).toBe(1);
    service.clock.advance(1);
    await send(address);
    expect(await mails(email)).toBe(2);
  });

  test('is mailed by a retry within seconds if the database failed', async () => {
    const { email, send } = await sendsOf(kind);
    const address = newAddress();
    const { prisma } = service.database;
    await prisma.$executeRaw`ALTER TABLE codes RENAME TO unavailable`;
    const failed = await send(address);
    await prisma.$executeRaw`ALTER TABLE unavailable RENAME TO codes`;
    expectRefusal(failed, 'request/internal-error', null);
    expect(await mails(email)).toBe(0);
    expect(await send(address)).toMatchObject(answered);
    expect(await mails(email)).toBe(1);
    // The retry is counted.
    await send(address);
    expect(await mails(email)).toBe(1);
  });

  test('over the limit leaves the previous code valid', async () => {
    const { email, send } = await sendsOf(kind);
    const address = newAddress();
    await send(address);
    const [mail] = await scenario.mailed(email);
    const rows = () => service.database.prisma.code.findMany({ where: { email } });
    const before = await rows();
    expect(before).toHaveLength(1);
    await send(address);
    expect(await rows()).toEqual(before);
    if (kind === 'sign-in') expect((await scenario.verify(email, mail?.code as string)).status).toBe(200);
  });
});

test('each kind of code has its own mail limit, and spellings of an email share it', async () => {
  const { email, tokens } = await service.newUser();
  const own = from(newAddress());
  await scenario.send(email, own);
  expect(await scenario.send(` ${email.toUpperCase()}`, own)).toMatchObject(answered);
  expect(await mails(email)).toBe(1);
  await scenario.forgot(email, own);
  await service.call('POST', '/auth/email/verification/send', { token: tokens.access_token, ...own });
  expect(await mails(email)).toBe(3);
});

test('both versions together mail one code in thirty seconds, and v1 answers the same over the limit', async () => {
  const { email } = await service.newUser();
  const own = from(newAddress());
  const ask = [
    () => scenario.forgot(email, own),
    () => v1.call('POST', '/password/forgot', { ...own, body: { email } }),
  ] as const;
  await ask[0]();
  const silent = await ask[1]();
  expect([silent.status, silent.json.data]).toEqual([200, {}]);
  expect(await mails(email)).toBe(1);
  service.clock.advance(30 * second);
  await ask[1]();
  await ask[0]();
  expect(await mails(email)).toBe(2);
});

test('the slow-down adds one audit entry for each email, kind and day', async () => {
  const { app } = await service.newAppWith({ 'code-send-email': { limit: 3, windowSeconds: 86_400 } });
  const { appKey } = app;
  const known = await service.signUp({ appKey });
  const entries = async () => {
    const rows = await service.auditEntries({ action: 'user.mails_slowed', appId: app.id });
    return rows.map(({ target, details }) => ({ target, details }));
  };
  const sendToBoth = async () => {
    for (const email of [known.email, 'unknown@example.com']) {
      await scenario.forgot(email, { appKey, ...from(newAddress()) });
    }
  };
  await times(2, sendToBoth);
  expect(await entries()).toEqual([]);
  await times(4, sendToBoth);
  expect(await entries()).toEqual([
    { target: `user:${known.uid}`, details: { purpose: 'reset' } },
    // Entries that name no user are counted.
    { target: `app:${app.id}`, details: { purpose: 'reset', count: 1 } },
  ]);
});

describe.each(['sign_in', 'reset'] as const)(
  'after strangers exhausted the mails of a day of the kind %s',
  (kind) => {
    const proofs: [string, (user: { sent: Answer; signedIn: Answer<TokenAnswer> }) => CallOptions][] = [
      ['device token', ({ signedIn }) => ({ headers: deviceOf(signedIn) })],
      ['access token', ({ signedIn }) => ({ token: signedIn.data.access_token })],
      ['flow of an earlier sign-in', ({ sent }) => flowOf(sent)],
    ];
    const deviceOf = (answer: Answer) => ({
      'x-device-token': answer.headers.get('x-device-token') as string,
    });

    test.each(proofs)('the owner is mailed at once with a valid %s, and no other', async (_name, proofOf) => {
      const { app } = await service.newAppWith({ 'code-send-email': { limit: 3, windowSeconds: 86_400 } });
      const at = (own: CallOptions = {}): CallOptions => ({
        appKey: app.appKey,
        ...own,
        headers: { ...own.headers, ...from(newAddress()).headers },
      });
      const signedInAs = async (email: string) => {
        const sent = await scenario.send(email, at());
        const code = await scenario.codeOf(email, 'sign_in');
        return { sent, signedIn: await scenario.verify(email, code, at(flowOf(sent))) };
      };
      const send = kind === 'reset' ? scenario.forgot : scenario.send;
      const email = newEmail();
      const [owner, other] = [await signedInAs(email), await signedInAs(newEmail())];
      await times(5, () => send(email, at()));
      const before = await mails(email);
      expect(await send(email, at(proofOf(other)))).toMatchObject(answered);
      expect(await mails(email)).toBe(before);
      expect(await send(email, at(proofOf(owner)))).toMatchObject(answered);
      expect(await mails(email)).toBe(before + 1);
    });
  },
);

test('an unknown email is counted like a known one, without an observable difference', async () => {
  const known = (await service.newUser()).email;
  const unknown = newEmail();
  const answers = async (email: string) => {
    const own = from(newAddress());
    return times(8, async () => {
      const { status, text, headers } = await scenario.forgot(email, own);
      service.clock.advance(10 * second);
      return [status, text, headers.get('ratelimit'), headers.get('ratelimit-policy')];
    });
  };
  const first = await answers(known);
  service.clock.advance(24 * hour);
  expect(await answers(unknown)).toEqual(first);
  expect(await mails(unknown)).toBe(0);
});

test('an app may set a factor of its own', async () => {
  onTestFinished(() => scenario.set({ rate_limits: { codes: 1 } }));
  await scenario.set({ rate_limits: { codes: 2 } });
  const email = newEmail();
  const address = newAddress();
  await times(3, () => scenario.send(email, from(address)));
  expect(await mails(email)).toBe(2);
  service.clock.advance(30 * second);
  await scenario.send(email, from(address));
  expect(await mails(email)).toBe(3);
});

test('notices to one email are limited to five an hour', async () => {
  const { email, tokens } = await service.newUser();
  const change = () =>
    service.call('PUT', '/me/password', {
      token: tokens.access_token,
      body: { password: 'another long password' },
    });
  for (let call = 0; call < 7; call += 1) expect((await change()).status).toBe(204);
  expect(await mails(email)).toBe(5);
  await service.advance(hour);
  const renewed = await service.refresh(tokens.refresh_token);
  const again = await service.call('PUT', '/me/password', {
    token: renewed.data.access_token,
    body: { password: 'yet another password', current_password: 'another long password' },
  });
  expect(again.status).toBe(204);
  expect(await mails(email)).toBe(6);
});

test('a notice is retried while the mail server is down and counts once', async () => {
  const server = await mailServer();
  const smtp = { url: server.url, from: 'accounts@mail.test' };
  const own = await testService({ rateLimits: true, config: { smtp } });
  try {
    const { email, tokens } = await own.signUp();
    await server.down();
    const change = { token: tokens.access_token, body: { password: 'another long password' } };
    expect((await own.call('PUT', '/me/password', change)).status).toBe(204);
    // The delay between attempts doubles, starting at five seconds: these are six of them.
    for (let tries = 0; tries < 6; tries += 1) await own.advance(10_000 * 2 ** tries);
    await server.up();
    await own.advance(3 * hour);
    expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  } finally {
    await own.stop();
    await server.down();
  }
});
