// The choice of mailer, and protection against injected recipients and headers.
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/env.js';
import { ApiError } from '../../src/lib/api-error.js';
import { type MailRequest, queueMail } from '../../src/mail/queue-mail.js';
import { testEncryptionKey, testService } from '../../test/harness.js';
import { type MailServerOptions, mailServer } from '../../test/mail-server.js';
import { type Mail, type Mailer, MailRefusedError } from './mail.js';
import { mailerOf } from './mailer.js';
import { smtpMailer, withImplicitTls } from './smtp-mailer.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

const logger = pino({ level: 'silent' });
const postgresql = { DATABASE_URL: 'postgresql://db.test/foyer', ENCRYPTION_KEYS: testEncryptionKey };
const smtp = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'accounts@mail.test' };

async function mailerFor(environment: Record<string, string>): Promise<Mailer> {
  const mailer = await mailerOf(readConfig(environment), logger);
  cleanUp.push(() => mailer.close());
  return mailer;
}

async function serverWith(options: MailServerOptions = {}) {
  const server = await mailServer(options);
  cleanUp.push(() => server.down());
  const send = async (sent: Mail, url = server.url) =>
    (await mailerFor({ SMTP_URL: url, MAIL_FROM: 'accounts@mail.test' })).send(sent);
  return { server, send };
}

const mail: Mail = {
  id: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  to: 'ada@example.com',
  fromName: 'Acme',
  replyTo: null,
  subject: 'Hello',
  text: 'Hello\n',
  html: '<p>Hello</p>',
  at: new Date('2026-03-01T10:00:00Z'),
};

describe('the environment', () => {
  test.each([
    ['nothing', {}, { available: true, mailbox: true }],
    ['DATABASE_URL', postgresql, { available: false, mailbox: false }],
    ['SMTP_URL', smtp, { available: true, mailbox: false }],
    ['both', { ...postgresql, ...smtp }, { available: true, mailbox: false }],
  ])('with %s decides whether mail is sent, stored, or unavailable', async (_, environment, expected) => {
    const { available, mailbox } = await mailerFor(environment);
    expect({ available, mailbox: mailbox !== null }).toEqual(expected);
  });

  test('without a way to send mail is warned of, and each mail fails with the reason', async () => {
    const lines: string[] = [];
    const warned = pino({ base: null }, { write: (line) => lines.push(line) });
    const { send } = await mailerOf(readConfig(postgresql), warned);
    await expect(send(mail)).rejects.toThrow('SMTP_URL is not set');
    expect(lines).toEqual([expect.stringContaining('SMTP_URL is not set: no mail can be sent')]);
  });

  test('with nothing stores the last two hundred mails, the newest first', async () => {
    const { send, mailbox } = await mailerFor({});
    for (let number = 1; number <= 202; number += 1) await send({ ...mail, id: `${number}` });
    const ids = mailbox?.mails(undefined).map(({ id }) => id);
    expect([ids?.length, ids?.[0], ids?.at(-1)]).toEqual([200, '202', '3']);
  });

  test.each([
    [{ SMTP_URL: 'smtp://mail.test' }, /MAIL_FROM: is required with SMTP_URL/],
    [
      { ...smtp, SMTP_URL: 'https://mail.test' },
      /SMTP_URL: must be a URL that starts with smtp:\/\/ or smtps/,
    ],
    [{ ...smtp, SMTP_URL: 'mail.test' }, /SMTP_URL: must be a URL/],
    [{ ...smtp, MAIL_FROM: 'Acme <a@mail.test>' }, /MAIL_FROM: must be an email address/],
    [{ ...smtp, MAIL_FROM: 'a@mail.test,b@mail.test' }, /MAIL_FROM: must be an email address/],
  ])('%j fails the start with a message', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  // same-for-every-email.test.ts has the answers of the calls that mail codes.
  test('without SMTP_URL the start logs a warning, a notice is dropped, and a code is refused', async () => {
    const lines: string[] = [];
    const service = await testService({
      config: { databaseUrl: 'postgresql://db.test/foyer' },
      onLogLine: (line) => lines.push(line),
    });
    cleanUp.push(service.stop);
    expect(lines.filter((line) => line.includes('SMTP_URL is not set'))).toHaveLength(1);
    // A password change does not fail because its notice cannot be sent.
    const { deps, app } = service;
    const queued = (request: MailRequest) =>
      deps.prisma.$transaction((tx) => queueMail(tx, deps, app.app, request));
    await queued({ kind: 'password_changed', to: mail.to });
    await expect(queued({ kind: 'email_change', to: mail.to, code: '402718' })).rejects.toThrow(ApiError);
    expect(await deps.prisma.$queryRaw`SELECT FROM pgboss.job`).toEqual([]);
  });
});

test.each([
  ['smtp://user:pass@smtp.example.com:465', 'smtps://user:pass@smtp.example.com:465'],
  ['SMTP://smtp.example.com:465/?name=a', 'smtps://smtp.example.com:465/?name=a'],
  ['smtps://smtp.example.com:465', 'smtps://smtp.example.com:465'],
  ['smtp://smtp.example.com:587', 'smtp://smtp.example.com:587'],
  ['smtp://465:465@smtp.example.com', 'smtp://465:465@smtp.example.com'],
])('a mail server at port 465 is talked to over TLS from the start: %s is %s', (given, used) => {
  expect(withImplicitTls(given)).toBe(used);
});

test('the development mailbox keeps the latest 200 mails, newest first', async () => {
  const mailer = await mailerFor({});
  for (let place = 0; place <= 200; place += 1) await mailer.send({ ...mail, to: `${place}@example.com` });
  const kept = mailer.mailbox?.mails().map(({ to }) => to);
  expect(kept).toEqual(Array.from({ length: 200 }, (_, place) => `${200 - place}@example.com`));
});

test('a mail that was queued before SMTP_URL was removed fails, and so is tried again', async () => {
  await expect((await mailerFor(postgresql)).send(mail)).rejects.toThrow('SMTP_URL is not set');
});

describe('one recipient and no injected header', () => {
  const recipients = [
    'ada@example.com, eve@example.com',
    'ada@example.com;eve@example.com',
    'ada@example.com eve@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    '"eve@example.com" <ada@example.com>',
    'friends: ada@example.com, eve@example.com;',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\nRCPT TO:<eve@example.com>',
    'ada@example.com\u0000eve@example.com',
    '@relay.example,@other.example:ada@example.com',
    'ada@eve@example.com',
    'ada',
    '',
  ];
  const lineBreak = 'Acme\r\nBcc: eve@example.com';

  test.each<Partial<Mail>>([
    ...recipients.flatMap((address) => [{ to: address }, { replyTo: address }]),
    { subject: lineBreak },
    { fromName: lineBreak },
  ])('a mail with %j is refused without a connection', async (injected) => {
    const { server, send } = await serverWith();
    await expect(send({ ...mail, ...injected })).rejects.toThrow(MailRefusedError);
    expect(server.connections).toBe(0);
  });

  test('an email of 254 characters is used, and a longer one is refused without a connection', async () => {
    const { server, send } = await serverWith();
    const longest = `${'a'.repeat(242)}@example.com`;
    await expect(send({ ...mail, to: `a${longest}` })).rejects.toThrow(MailRefusedError);
    await expect(send({ ...mail, replyTo: `a${longest}` })).rejects.toThrow(MailRefusedError);
    expect(server.connections).toBe(0);
    // The server of this test accepts no such recipient.
    await send({ ...mail, replyTo: longest });
    expect(server.received[0]?.raw).toContain(longest);
  });

  test('unusual valid recipients are used unchanged', async () => {
    const { server, send } = await serverWith();
    const unusual = ["o'hara+a=b&c@example.com", '!#$%&*/=?^_`{|}~-@example.com'];
    for (const to of unusual) await send({ ...mail, to });
    expect(server.received.flatMap(({ to }) => to)).toEqual(unusual);
  });

  test('a sender name that looks like email addresses remains a name', async () => {
    const { server, send } = await serverWith();
    const fromName = 'eve@example.com, "Eve" <eve@example.com>; =?utf-8?q?x?= Ünï';
    await send({ ...mail, fromName, replyTo: 'help@acme.example' });
    expect(server.received).toMatchObject([{ to: ['ada@example.com'], from: 'accounts@mail.test' }]);
    const head = server.received[0]?.raw.split('\r\n\r\n')[0]?.replace(/\r\n\s+/g, ' ') ?? '';
    expect(head).toMatch(/^From: .*<accounts@mail\.test>$/m);
    expect(head.match(/^(to|cc|bcc|from|sender|reply-to):/gim)).toEqual(['From:', 'To:', 'Reply-To:']);
  });

  test('content that looks like SMTP remains content', async () => {
    const { server, send } = await serverWith();
    const text = 'Hello\r\n.\r\nMAIL FROM:<eve@example.com>\r\nRCPT TO:<eve@example.com>\r\nDATA\r\n';
    await send({ ...mail, text });
    expect(server.received).toMatchObject([{ to: ['ada@example.com'], from: 'accounts@mail.test' }]);
    expect(server.received[0]?.raw).toContain('RCPT TO:<eve@example.com>');
  });
});

describe('the mail server', () => {
  test('gets the credentials of its URL; a wrong password does not discard the mail', async () => {
    const login = { user: 'foyer', password: 'right' };
    const { server, send } = await serverWith({ login });
    await send(mail);
    expect(server.received).toHaveLength(1);
    const refused = send(mail, server.url.replace('right', 'wrong'));
    await expect(refused).rejects.toThrow(/EAUTH/);
    await expect(refused).rejects.not.toThrow(MailRefusedError);
  });

  // Strict servers such as Google's relay refuse the name of a container, and [127.0.0.1] in its place.
  test('is greeted with the domain of MAIL_FROM, or the name in its URL', async () => {
    const { server, send } = await serverWith();
    await send(mail);
    await send(mail, `${server.url}?name=accounts.example.com`);
    expect(server.received.map(({ greeting }) => greeting)).toEqual(['mail.test', 'accounts.example.com']);
  });

  test('is used over TLS only with a trusted certificate', async () => {
    const { server, send } = await serverWith({ secure: true });
    await expect(send(mail)).rejects.toThrow(/certificate/);
    expect(server.received).toEqual([]);
    await send(mail, `${server.url}?tls.rejectUnauthorized=false`);
    expect(server.received).toHaveLength(1);
  });

  test('that answers slowly without end is aborted', async () => {
    const trickle = createServer((socket) => {
      socket.write('220 hello\r\n');
      const timer = setInterval(() => socket.write('250-and\r\n'), 20);
      socket.on('error', () => {}).on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => trickle.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => trickle.close());
    const { port } = trickle.address() as AddressInfo;
    const url = `smtp://127.0.0.1:${port}`;
    const mailer = smtpMailer({ url, from: 'accounts@mail.test', timeouts: { greeting: 60_000, send: 300 } });
    cleanUp.push(() => mailer.close());
    await expect(mailer.send(mail)).rejects.toThrow(/EABORT/);
  });

  test('that offers no TLS is refused if its URL requires it', async () => {
    const { server, send } = await serverWith();
    await expect(send(mail, `${server.url}?requireTLS=true`)).rejects.toThrow(/did not take the mail/);
    expect(server.received).toEqual([]);
  });
});
