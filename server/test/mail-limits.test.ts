// How often codes are mailed to an email, and that a call over the limit looks like any other, except over the limit by
// IP.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeScenario } from './code-scenario.js';
import { type Answer, testService } from './harness.js';
import { expectLimited, from, limitedService, newAddress, times } from './limited-service.js';
import { mailServer } from './mail-server.js';
import { shared } from './shared.js';

const service = shared(limitedService);
// Every window of the previous test has ended.
beforeEach(() => service.clock.advance(24 * hour));

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const scenario = codeScenario(() => service);
const newEmail = () => `${randomUUID()}@example.com`;
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

test('one IP address causes at most five mails an hour; the sixth waits until the hour has passed', async () => {
  const email = newEmail();
  const address = newAddress();
  for (let sends = 1; sends <= 7; sends += 1) {
    expect(await scenario.send(email, from(address))).toMatchObject(answered);
    expect(await mails(email)).toBe(Math.min(sends, 5));
    service.clock.advance(30 * second);
  }
  service.clock.advance(hour - 7 * 30 * second - 1);
  await scenario.send(email, from(address));
  expect(await mails(email)).toBe(5);
  service.clock.advance(30 * second);
  await scenario.send(email, from(address));
  expect(await mails(email)).toBe(6);
});

test('all IP addresses cause at most thirty mails a day of one kind, and then one every ten minutes', async () => {
  const email = newEmail();
  for (let sends = 1; sends <= 32; sends += 1) {
    expect(await scenario.send(email, from(newAddress()))).toMatchObject(answered);
  }
  // The first beyond thirty is the one of its ten minutes.
  expect(await mails(email)).toBe(31);
  for (let turn = 1; turn <= 3; turn += 1) {
    service.clock.advance(10 * minute - 1);
    await scenario.send(email, from(newAddress()));
    expect(await mails(email)).toBe(30 + turn);
    service.clock.advance(1);
    expect(await scenario.send(email, from(newAddress()))).toMatchObject(answered);
    await scenario.send(email, from(newAddress()));
    expect(await mails(email)).toBe(31 + turn);
  }
  service.clock.advance(24 * hour);
  await times(2, () => scenario.send(email, from(newAddress())));
  expect(await mails(email)).toBe(36);
});

test('the owner still gets a code after 49 sends in seven hours from an attacker’s IP address', async () => {
  const { email } = await service.newUser();
  const stranger = newAddress();
  for (let hours = 1; hours <= 7; hours += 1) {
    for (let sends = 1; sends <= 7; sends += 1) {
      await scenario.send(email, from(stranger));
      // Delivered at once: a mail queued for longer than its code is valid is not sent.
      await mails(email);
      service.clock.advance(31 * second);
    }
    if (hours < 7) service.clock.advance(hour - 7 * 31 * second);
  }
  // Five an hour until thirty were mailed, then the first of the ten minutes.
  expect(await mails(email)).toBe(31);
  const code = await codeFor(() => scenario.send(email, from(newAddress())));
  expect((await scenario.verify(email, code, from(newAddress()))).status).toBe(200);
});

/** The code of the one mail that a send causes. */
async function codeFor(send: () => Promise<Answer>): Promise<string> {
  const before = service.deps.mailer.mailbox?.mails().length ?? 0;
  await send();
  await service.deps.queue.runNow();
  const mails = service.deps.mailer.mailbox?.mails() ?? [];
  expect(mails).toHaveLength(before + 1);
  return mails[0]?.code as string;
}

test('each kind of code has its own mail limit', async () => {
  const { email, tokens } = await service.newUser();
  for (let sends = 1; sends <= 35; sends += 1) await scenario.send(email, from(newAddress()));
  expect(await mails(email)).toBe(31);
  const address = newAddress();
  await scenario.send(email, from(address));
  expect(await mails(email)).toBe(31);
  await scenario.forgot(email, from(address));
  const own = { token: tokens.access_token, ...from(address) };
  await service.call('POST', '/auth/email/verification/send', own);
  expect(await mails(email)).toBe(33);
});

test('spellings of an email are one email, and its +tags are one mailbox', async () => {
  const name = randomUUID();
  const email = `${name}@example.com`;
  const address = newAddress();
  for (const written of [
    email,
    ` ${email.toUpperCase()}`,
    `${name}+a@example.com`,
    `${name}+b+c@example.com`,
  ]) {
    expect(await scenario.send(written, from(address))).toMatchObject(answered);
  }
  expect(await mails(email)).toBe(1);
  expect(await mails(`${name}+a@example.com`)).toBe(0);
  // Elsewhere each is a separate email, and one without a name before the tag is a mailbox of its own.
  await scenario.send(`+${name}@example.com`, from(address));
  await scenario.send(`+@example.com`, from(address));
  expect((await mails(`+${name}@example.com`)) + (await mails('+@example.com'))).toBe(2);
  for (let place = 0; place < 40; place += 1) {
    await scenario.send(`${name}+${place}@example.com`, from(newAddress()));
  }
  service.clock.advance(minute);
  await scenario.send(email, from(newAddress()));
  expect(await mails(email)).toBe(1);
});

test('the slow-down adds one audit entry for each email, kind and day', async () => {
  const known = await service.newUser();
  const unknown = newEmail();
  const entries = async () => {
    await service.deps.auditBuffer.flush();
    const where = { action: 'user.mails_slowed', appId: service.app.app.id };
    const rows = await service.database.prisma.auditLog.findMany({ where, orderBy: { id: 'desc' } });
    return rows.map(({ target, details }) => ({ target, details }));
  };
  const before = (await entries()).length;
  for (const email of [known.email, unknown]) {
    for (let sends = 1; sends <= 29; sends += 1) await scenario.forgot(email, from(newAddress()));
  }
  expect(await entries()).toHaveLength(before);
  for (const email of [known.email, unknown]) {
    for (let sends = 1; sends <= 6; sends += 1) await scenario.forgot(email, from(newAddress()));
  }
  expect((await entries()).slice(0, -before || undefined)).toEqual([
    // Entries that name no user are counted.
    { target: `app:${service.app.app.id}`, details: { purpose: 'reset', count: 1 } },
    { target: `user:${known.uid}`, details: { purpose: 'reset' } },
  ]);
});

test('apps and emails have separate mail limits', async () => {
  const email = newEmail();
  const address = newAddress();
  const { app } = await service.newApp();
  await scenario.send(email, from(address));
  await scenario.send(email, { appKey: app.appKey, ...from(address) });
  expect(await mails(email)).toBe(2);
  const other = newEmail();
  await scenario.send(other, from(address));
  expect(await mails(other)).toBe(1);
});

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

test('an IP address has sixty sends an hour to all emails together, and the next is refused', async () => {
  const address = newAddress();
  const sends = await times(60, (place) =>
    place % 2 ? scenario.send(newEmail(), from(address)) : scenario.forgot(newEmail(), from(address)),
  );
  expect(sends.map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(sends[0]?.headers.get('ratelimit-policy')).toBe('"code-send-ip";q=60;w=3600');
  expect(sends.at(-1)?.headers.get('ratelimit')).toBe('"code-send-ip";r=0;t=3600');
  const email = newEmail();
  expectLimited(await scenario.send(email, from(address)), 'code-send-ip', 3_600);
  expectLimited(await scenario.forgot(email, from(address)), 'code-send-ip', 3_600);
  expect(await mails(email)).toBe(0);
  expect(await scenario.send(email, from(newAddress()))).toMatchObject(answered);
  const after = await service.afterWindow(hour, 'code-send-ip', () => scenario.send(email, from(address)));
  expect(after.status).toBe(200);
});

test('an app may set limits of its own', async () => {
  await scenario.set({ rate_limits: { 'code-send-email-ip-pause': { limit: 2, window_seconds: 5 } } });
  try {
    const email = newEmail();
    const address = newAddress();
    await times(3, () => scenario.send(email, from(address)));
    expect(await mails(email)).toBe(2);
    service.clock.advance(5 * second);
    await scenario.send(email, from(address));
    expect(await mails(email)).toBe(3);
  } finally {
    await scenario.set({ rate_limits: { 'code-send-email-ip-pause': null } });
  }
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
    // The delay between attempts doubles, starting at five seconds: these are nine of them.
    for (let tries = 0; tries < 9; tries += 1) await own.advance(10_000 * 2 ** tries);
    await server.up();
    await own.advance(3 * hour);
    expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  } finally {
    await own.stop();
    await server.down();
  }
});
