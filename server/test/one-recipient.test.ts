// For any value of the email field, mail goes to exactly one recipient, the one requested, or is not sent; observed at
// a real mail server.
import { EmailInput } from '@foyer/contract';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type ContractRoute, contractRoutes } from './contract-routes.js';
import { testService } from './harness.js';
import { type MailServer, mailServer } from './mail-server.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

let server: MailServer;
afterAll(() => server.down());
const service = shared(async () => {
  server = await mailServer();
  return testService({ config: { smtp: { url: server.url, from: 'accounts@mail.test' } } });
});
beforeEach(() => {
  server.received.length = 0;
});

let users = 0;
/** Every call that mails to the email in its body; each creates an account with that email if the call needs one. */
const sends: [string, (email: unknown, account: string | null) => Promise<{ status: number }>][] = [
  ['a sign-in code', (email) => service.call('POST', '/auth/email-code/send', { body: { email } })],
  [
    'a reset code',
    async (email, account) => {
      if (account !== null) await service.signUp({ email: account });
      return service.call('POST', '/auth/password/forgot', { body: { email } });
    },
  ],
  [
    'a change of email',
    async (email) => {
      users += 1;
      const { tokens } = await service.signUp({ email: `changing-${users}@example.com` });
      return service.call('POST', '/me/email', { token: tokens.access_token, body: { email } });
    },
  ],
];

const refused: unknown[] = [
  'ada@example.com,eve@example.com',
  'ada@example.com, eve@example.com',
  'ada@example.com;eve@example.com',
  'ada@example.com eve@example.com',
  'ada@example.com\teve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\nTo: eve@example.com',
  'ada@example.com\rCc: eve@example.com',
  'ada@example.com%0d%0aBcc:eve@example.com',
  'ada@example.com>\r\nRCPT TO:<eve@example.com',
  'ada@example.com\u2028eve@example.com',
  'ada@example.com\u0085Bcc: eve@example.com',
  'ada@example.com\u0000eve@example.com',
  'Ada <ada@example.com>',
  'Ada <ada@example.com>, Eve <eve@example.com>',
  '"eve@example.com" <ada@example.com>',
  '"ada@example.com, eve"@example.com',
  '"ada"@example.com',
  'ada@example.com (eve@example.com)',
  'ada(eve@example.com)@example.com',
  'friends: ada@example.com, eve@example.com;',
  '@relay.example:ada@example.com',
  'eve@example.com!ada@example.com',
  'ada@eve@example.com',
  'ada@[192.0.2.1]',
  'ada@example',
  'ada@example.com.',
  'ada@.example.com',
  'ada@example..com',
  'ada@-example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada@exa_mple.com',
  'ädä@example.com',
  'ada@ⓔxample.com',
  `${'a'.repeat(65)}@example.com`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.com`,
  ['ada@example.com', 'eve@example.com'],
  ['ada@example.com'],
  { to: 'ada@example.com', bcc: 'eve@example.com' },
  null,
  42,
  '',
];

const taken: [string, string][] = [
  ['grace@example.com', 'grace@example.com'],
  ['  Grace.H@Example.COM\r\n', 'grace.h@example.com'],
  ['\u00a0grace+nbsp@example.com\ufeff', 'grace+nbsp@example.com'],
  ["o'hara+a=b&c@example.com", "o'hara+a=b&c@example.com"],
  ['!#$%&*/=?^_`{|}~-@example.com', '!#$%&*/=?^_`{|}~-@example.com'],
  // The domain after the @ decides: eve.example.
  ['ada%example.com@eve.example', 'ada%example.com@eve.example'],
  // Invisible characters come from a paste, and never reach the mail.
  ['ada\u200b@example.com', 'ada@example.com'],
  ['\u202eada@example.com', 'ada@example.com'],
  ['<ada@example.com>', 'ada@example.com'],
  // The domain in the form of the DNS, which alone is stored and mailed to.
  ['ada@exämple.com', 'ada@xn--exmple-cua.com'],
  // The Kelvin sign lower-cases to an ASCII k: the mail goes to the lower-cased email.
  ['\u212aelvin@example.com', 'kelvin@example.com'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
];

/** One of each kind; all calls use one schema of an email. */
const sample: unknown[] = [
  'ada@example.com,eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  '"eve@example.com" <ada@example.com>',
  ['ada@example.com', 'eve@example.com'],
  null,
];

test.each(refused.map((email) => [email]))('%j is not an email', (email) => {
  expect(EmailInput.safeParse(email).success).toBe(false);
});

test.each([...['/auth/sign-up', '/auth/email-code/send', '/auth/password/forgot', '/me/email']])(
  '%s uses that schema',
  (path) => {
    const found = contractRoutes.find(({ route }) => route.path === path && route.method === 'POST');
    const { body } = (found as ContractRoute).route as unknown as { body: { shape: { email: unknown } } };
    expect(body.shape.email).toBe(EmailInput);
  },
);

describe.each(sends)('%s', (_name, send) => {
  test.each(sample.map((email) => [email]))('sends no mail to %j', async (email) => {
    const { connections } = server;
    const answer = await send(email, null);
    expectRefusal(answer as Parameters<typeof expectRefusal>[0], 'request/validation-failed', {
      email: expect.any(Array),
    });
    await service.deps.queue.runNow();
    expect([server.connections, server.received]).toEqual([connections, []]);
  });

  test.each(taken)('requested with %j sends to %s only', async (email, recipient) => {
    const answer = await send(email, recipient);
    expect(answer.status).toBe(200);
    await service.deps.queue.runNow();
    expect(server.received.map(({ to, from }) => ({ to, from }))).toEqual([
      { to: [recipient], from: 'accounts@mail.test' },
    ]);
    const head = server.received[0]?.raw.split('\r\n\r\n')[0]?.replace(/\r\n\s+/g, ' ') ?? '';
    expect(head.match(/^(to|cc|bcc|sender|reply-to|resent-to):.*$/gim)).toEqual([`To: ${recipient}`]);
    await service.database.prisma.user.deleteMany();
  });
});

test('a verification goes only to the email of the account', async () => {
  const { email, tokens } = await service.signUp({ email: 'verified@example.com' });
  const body = { email: 'eve@example.com', to: 'eve@example.com' };
  await service.call('POST', '/auth/email/verification/send', { token: tokens.access_token, body });
  await service.deps.queue.runNow();
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
});
