// The way from the transaction to a real mail server that is down, slow, refusing, disconnecting or recovering. Attempts are
// driven by hand: `pass` advances the clock of the service and the queue, and runs due jobs.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { codeScenario } from '../../test/code-scenario.js';
import { passQueueTime, testService } from '../../test/harness.js';
import { type Behaviour, type MailServer, mailServer, type Received } from '../../test/mail-server.js';
import { rawAnswer } from '../../test/raw-http.js';
import { shared } from '../../test/shared.js';
import { until } from '../../test/until.js';
import { type MailRequest, queueMail } from './queue-mail.js';

const from = 'accounts@mail.test';
/** Timeout for a silent server, in milliseconds: longer than a busy machine needs for anything. */
const patience = 60_000;
const timeouts = { connection: patience, greeting: patience, socket: patience, send: 4 * patience };
const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

let server: MailServer;
afterAll(() => server.down());
const logLines: string[] = [];
const service = shared(async () => {
  server = await mailServer();
  const onLogLine = (line: string) => logLines.push(line);
  return testService({ config: { smtp: { url: server.url, from, timeouts } }, onLogLine });
});

beforeEach(async () => {
  server.received.length = 0;
  server.behave({});
  // Each starts without a connection: an open one would continue even if the server accepts no new ones.
  await server.hangUp();
});
afterEach(async () => {
  // No test delivers mail of another.
  await service.database.prisma.$executeRaw`DELETE FROM pgboss.job`;
});

const address = (name: string) => `${name}-${randomUUID().slice(0, 8)}@example.com`;

function queue(request: MailRequest): Promise<boolean> {
  return service.deps.prisma.$transaction((tx) => queueMail(tx, service.deps, service.app.app, request));
}

const code = (to: string, digits = '402718') => queue({ kind: 'sign_in', to, code: digits });
const notice = (to: string) => queue({ kind: 'password_changed', to });
const run = () => service.deps.queue.runNow();
async function pass(milliseconds: number): Promise<void> {
  service.clock.advance(milliseconds);
  await passQueueTime(service.database, milliseconds);
  await run();
}
const jobCount = async () => {
  const [row] = await service.database.prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pgboss.job`;
  return row?.count;
};
const receivers = () => server.received.flatMap(({ to }) => to);

test("a mail reaches its one recipient, from the service's email address and with the app's name", async () => {
  const to = address('ada');
  await code(to);
  await run();
  await run();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail).toMatchObject({ to: [to], from });
  expect(mail?.raw).toMatch(/^From: Test <accounts@mail\.test>$/m);
  expect(mail?.raw).toMatch(new RegExp(`^To: ${to}$`, 'm'));
  expect(mail?.raw).toMatch(/^Subject: 402718 is your sign-in code for Test$/m);
  expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(mail?.raw).toMatch(/^X-Auto-Response-Suppress: All$/m);
  expect(mail?.raw).toMatch(/^Date: Sun, 01 Mar 2026/m);
  expect(mail?.id).toMatch(/^<[0-9A-HJKMNP-TV-Z]{26}@mail\.test>$/);
});

test('a subject that is not ASCII is encoded in the header, and arrives whole', async () => {
  const to = address('ada');
  await queue({ kind: 'sign_in', to, code: '402718', language: 'ja' });
  await run();
  const head = server.received[0]?.raw.split('\r\n\r\n')[0] ?? '';
  expect(head).not.toMatch(/[^\r\n\t\x20-\x7e]/);
  for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  const words =
    /^Subject: (.*(?:\r\n .*)*)/m.exec(head)?.[1]?.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/g) ?? [];
  const decoded = [...words].map(([, encoding, text = '']) =>
    encoding === 'B'
      ? Buffer.from(text, 'base64').toString()
      : decodeURIComponent(text.replaceAll('_', '%20').replaceAll('=', '%')),
  );
  expect(decoded.join('')).toBe('402718 は Test のログインコードです');
});

test('a decoy is queued like any other mail, and sends none', async () => {
  await queue({ kind: 'reset', to: null, code: '402718' });
  expect(await jobCount()).toBe(1);
  await run();
  expect(await jobCount()).toBe(0);
  await pass(hours);
  expect(server.received).toEqual([]);
});

test('a mail of a transaction that is rolled back is never sent', async () => {
  const to = address('ada');
  const failed = service.deps.prisma.$transaction(async (tx) => {
    await queueMail(tx, service.deps, service.app.app, { kind: 'sign_in', to, code: '402718' });
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await pass(hours);
  expect(server.received).toEqual([]);
});

test('mail for a server that is down arrives once after it recovers', async () => {
  await server.down();
  const [first, second] = [address('ada'), address('grace')];
  await code(first);
  await notice(second);
  await run();
  await pass(11 * seconds);
  expect(server.received).toEqual([]);
  await server.up();
  await pass(21 * seconds);
  await pass(hours);
  expect(receivers().toSorted()).toEqual([first, second].toSorted());
});

test('mail for a server that sends no greeting arrives once after it recovers', async () => {
  server.behave({ noGreeting: true });
  const to = address('ada');
  await code(to);
  const config = { smtp: { url: server.url, from, timeouts: { ...timeouts, greeting: 50 } } };
  const impatient = await service.secondInstance({ config });
  await impatient.deps.queue.runNow();
  await impatient.stop();
  expect(server.received).toEqual([]);
  server.behave({});
  await pass(11 * seconds);
  await pass(hours);
  expect(receivers()).toEqual([to]);
});

test('a refused recipient is not retried, and does not block mail to others', async () => {
  const refused = address('nobody');
  const others = [1, 2, 3, 4, 5, 6].map((i) => address(`user${i}`));
  server.behave({ refuse: (to) => (to === refused ? 550 : undefined) });
  const before = server.attempts;
  await code(refused);
  for (const to of others) await code(to);
  await run();
  expect(receivers().toSorted()).toEqual(others.toSorted());
  await pass(hours);
  expect(server.attempts - before).toBe(7);
});

test('a mail with permanently refused content is not retried', async () => {
  server.behave({ afterData: 554 });
  const before = server.attempts;
  await notice(address('ada'));
  await run();
  server.behave({});
  await pass(hours);
  expect(server.attempts - before).toBe(1);
  expect(server.received).toEqual([]);
});

test.each<[string, Behaviour]>([
  ['whose recipient is refused temporarily', { refuse: () => 451 }],
  ['whose recipient is refused with the end of the connection', { refuse: () => 421 }],
  ['whose content is refused temporarily', { afterData: 451 }],
  ['whose transfer is interrupted', { cutInData: true }],
])('a mail %s is retried, and arrives once', async (_, behaviour) => {
  server.behave(behaviour);
  const to = address('ada');
  await code(to);
  await run();
  await pass(11 * seconds);
  expect(server.received).toEqual([]);
  server.behave({});
  await pass(21 * seconds);
  await pass(hours);
  expect(receivers()).toEqual([to]);
});

test.each(['hang up', 'no answer'] as const)(
  'a mail whose acceptance was lost (%s) is sent once more, with the same Message-ID',
  async (afterData) => {
    server.behave({ afterData });
    const timeout = new AbortController();
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    onTestFinished(() => void timeouts.mockRestore());
    const to = address('ada');
    await code(to);
    const running = run();
    await until(() => server.received.length === 1);
    // The time for the whole transfer has passed.
    timeout.abort();
    await running;
    timeouts.mockRestore();
    expect(receivers()).toEqual([to]);
    server.behave({});
    await pass(11 * seconds);
    await pass(hours);
    expect(receivers()).toEqual([to, to]);
    expect(new Set(server.received.map(({ id }) => id)).size).toBe(1);
  },
);

test('a connection that the server closed between two mails causes neither a lost mail nor a delay', async () => {
  const [first, second] = [address('ada'), address('grace')];
  await code(first);
  await run();
  await server.hangUp();
  await code(second);
  await run();
  expect(receivers()).toEqual([first, second]);
});

test('a code not mailed within its ten minutes is dropped, and a notice is retried for hours', async () => {
  await server.down();
  const [late, told] = [address('ada'), address('grace')];
  await code(late);
  await notice(told);
  for (let passed = 0; passed < 4 * hours; passed += 15 * minutes) await pass(15 * minutes);
  await server.up();
  await pass(5 * hours);
  expect(receivers()).toEqual([told]);
});

test.each([
  ['ten minutes old is mailed', 0, 1],
  ['a millisecond older is not', 1, 0],
])('a code that is %s', async (_, over, times) => {
  logLines.length = 0;
  await code(address('ada'));
  service.clock.advance(10 * minutes + over);
  await run();
  expect(server.received).toHaveLength(times);
  const dropped = logLines.filter((line) => line.includes('a code expired before it could be mailed'));
  expect(dropped).toHaveLength(1 - times);
});

test('no request waits while a silent mail server blocks every delivery of an app, and another app still has one', async () => {
  server.behave({ noGreeting: true });
  const serving = await service.secondInstance({ config: service.deps.config });
  const before = server.connections;
  for (let i = 0; i < 10; i += 1) await code(address('ada'));
  serving.deps.queue.poll();
  serving.deps.queue.wake();
  await until(() => server.connections === before + 4);
  const other = await serving.newApp();
  const body = { email: address('linus') };
  await serving.call('POST', '/auth/email-code/send', { body, appKey: other.app.appKey });
  await until(() => server.connections === before + 5);
  const started = performance.now();
  const sent = await serving.call('POST', '/auth/email-code/send', { body: { email: address('grace') } });
  // Less than any delivery takes.
  expect(performance.now() - started).toBeLessThan(patience);
  expect(sent.status).toBe(200);
  server.behave({});
  await server.hangUp();
  await serving.stop();
});

test('Host and X-Forwarded headers do not change a mailed link', async () => {
  const deep_link = 'https://app.example.com/sign-in';
  await codeScenario(() => service).set({ deep_link });
  const to = address('ada');
  const body = JSON.stringify({ email: to });
  const answer = await rawAnswer(
    service.listening.port,
    [
      'POST /api/v2/auth/email-code/send HTTP/1.1',
      'Host: evil.example.net',
      'Origin: https://evil.example.net',
      'Referer: https://evil.example.net/',
      'Forwarded: host=evil.example.net;proto=http',
      'X-Forwarded-Host: evil.example.net',
      'X-Forwarded-Proto: http',
      'X-Original-URL: https://evil.example.net/',
      `X-App-Key: ${service.app.app.appKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `\r\n${body}`,
    ].join('\r\n'),
  );
  expect(answer.status).toBe(200);
  await run();
  expect(server.received).toHaveLength(1);
  const { raw } = server.received[0] as Received;
  // Quoted-printable, with its soft line ends removed.
  const content = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
  expect(content).toContain(`${deep_link}?mode=sign_in&email=${encodeURIComponent(to)}&code=`);
  expect(content).not.toContain('evil');
  const links = content.match(/[a-z]+:\/\/[^/\s"?]+/g);
  expect(new Set(links)).toEqual(new Set(['https://app.example.com']));
});

test('logs and stored jobs of a refused mail contain neither email nor code', async () => {
  logLines.length = 0;
  const refused = address('nobody');
  server.behave({ refuse: () => 550 });
  await code(refused, '935174');
  await run();
  server.behave({ refuse: () => 451 });
  await code(refused, '935174');
  await run();
  const about = logLines.filter((line) => /refused for good|will be retried/.test(line));
  expect(about).toHaveLength(2);
  const rows = await service.database.prisma.$queryRaw<{ row: string }[]>`
    SELECT to_jsonb(job)::text AS row FROM pgboss.job AS job`;
  expect(rows).toHaveLength(1);
  for (const text of [...logLines, ...rows.map(({ row }) => row)]) {
    expect(text).not.toMatch(new RegExp(`nobody|935174|${refused}`));
  }
});

test('a notice about a provider that was removed from the settings since names it by its id', async () => {
  await queue({ kind: 'provider_unlinked', to: address('ada'), provider: 'removed-provider' });
  await run();
  expect(server.received).toMatchObject([{ raw: expect.stringContaining('removed-provider') }]);
});

test('a deleted app gets no mail, and its jobs are removed', async () => {
  const { app } = await service.newApp();
  await service.deps.prisma.$transaction((tx) =>
    queueMail(tx, service.deps, app, { kind: 'sign_in', to: address('ada'), code: '402718' }),
  );
  await service.deps.prisma.app.delete({ where: { id: app.id } });
  await run();
  expect(await jobCount()).toBe(0);
  await pass(hours);
  expect(server.received).toEqual([]);
});
