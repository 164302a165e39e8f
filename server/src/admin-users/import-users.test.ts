// Imports over HTTP: valid rows are created, each invalid row fails, passwords refuse the request.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { newEmail } from '../../test/code-scenario.js';
import { type Answer, statementLog, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import type { NewApp } from '../apps/create-app.js';
import { passwordFieldsOf } from './import-rules.js';
import { lockImports } from './store.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

type Report = { created: number; failed: { index: number; code: string; message: string }[] };
const importUsers = (users: unknown[], headers: Record<string, string> = {}): Promise<Answer<Report>> =>
  service.call<Report>('POST', '/admin/users/import', {
    token: service.app.secretKey,
    body: { users },
    headers,
  });
const found = (email: string) => service.database.prisma.user.findFirst({ where: { email } });

test('a thousand users are created with a few statements, each with its event', async () => {
  const emails = Array.from({ length: 1_000 }, newEmail);
  let answer: Answer<Report> | undefined;
  const sent = await statements.during(async () => {
    answer = await importUsers(emails.map((email) => ({ email, first_name: 'Ada', claims: { role: 'x' } })));
  });
  expect(answer?.data).toEqual({ created: 1_000, failed: [] });
  expect(sent.length).toBeLessThan(15);
  const users = await service.database.prisma.user.findMany({ where: { email: { in: emails } } });
  expect(users).toHaveLength(1_000);
  const where = { type: 'user.created', uid: { in: users.map(({ id }) => id) } };
  const events = await service.database.prisma.event.findMany({ where });
  expect(new Set(events.map(({ id }) => id)).size).toBe(1_000);
  expect(events[0]?.data).toMatchObject({ user: { first_name: 'Ada', claims: { role: 'x' } } });
});

test('an imported user has the given values and no password', async () => {
  const given = {
    email: newEmail().toUpperCase(),
    first_name: ' Ada ',
    last_name: null,
    photo_url: 'https://images.example.com/a.jpg',
    email_verified: true,
    disabled: true,
    claims: { role: 'editor' },
    member_id: 'imported-1',
  };
  await importUsers([given]);
  expect(await found(given.email.toLowerCase())).toMatchObject({
    firstName: 'Ada',
    lastName: null,
    photoUrl: given.photo_url,
    emailVerified: true,
    emailProven: true,
    disabled: true,
    claims: given.claims,
    memberId: 'imported-1',
    passwordHash: null,
  });
});

test('each invalid row fails individually, with index, code and message', async () => {
  const [first, good, last] = [newEmail(), newEmail(), newEmail()];
  await importUsers([{ email: first, member_id: 'known' }]);
  const { data } = await importUsers([
    { email: 'no email' },
    { email: good, member_id: 'new' },
    { email: first },
    { email: newEmail(), member_id: 'known' },
    { email: good.toUpperCase() },
    { email: newEmail(), member_id: 'new' },
    { email: newEmail(), claims: { sub: 'x' } },
    { email: newEmail(), claims: { a: 'x'.repeat(1_000) } },
    null,
    'text',
    [],
    { email: newEmail(), first_name: 'x'.repeat(101) },
    { email: newEmail(), emailVerified: true },
    { email: newEmail(), points: 250 },
    { email: last },
  ]);
  expect(data.created).toBe(2);
  expect(data.failed.map(({ index, code }) => [index, code])).toEqual([
    [0, 'request/validation-failed'],
    [2, 'auth/email-already-in-use'],
    [3, 'admin/member-id-already-in-use'],
    [4, 'auth/email-already-in-use'],
    [5, 'admin/member-id-already-in-use'],
    [6, 'admin/reserved-claim'],
    [7, 'admin/claims-too-large'],
    ...[8, 9, 10, 11, 12, 13].map((index) => [index, 'request/validation-failed']),
  ]);
  const messages = new Map(data.failed.map(({ index, message }) => [index, message]));
  expect(messages.get(0)).toContain('email: must be an email address');
  expect(messages.get(12)).toContain('has an unknown key: "emailVerified"');
  expect(messages.get(13)).toContain('points: cannot be imported');
  expect(await found(good)).not.toBeNull();
  expect(await found(last)).not.toBeNull();
  const entry = await service.database.prisma.auditLog.findFirst({
    where: { action: 'users.imported' },
    orderBy: { id: 'desc' },
  });
  expect(entry?.details).toEqual({ created: 2, failed: 13 });
});

test('a row that is no object fails as others do', async () => {
  const { data } = await importUsers([null, 7, { email: newEmail() }]);
  expect(data).toEqual({
    created: 1,
    failed: [0, 1].map((index) => ({
      index,
      code: 'request/validation-failed',
      message: expect.stringMatching(/^user: must be an object/),
    })),
  });
});

test('a password in any row refuses the whole request', async () => {
  const [first, second] = [newEmail(), newEmail()];
  const refused = await importUsers([{ email: first }, { email: second, logins: [{ pwd: 'x' }] }]);
  expectRefusal(refused, 'admin/password-import-not-supported', {
    'users.1.logins.0.pwd': ['cannot be imported'],
  });
  expect(await found(first)).toBeNull();
});

test('thousands of passwords below long names are refused at once, and a hundred of them named', async () => {
  const passwords = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`hash_${at}`, 'x']));
  const began = process.cpuUsage();
  const refused = await importUsers([{ email: newEmail(), ['long'.repeat(100_000)]: passwords }]);
  expectRefusal(refused, 'admin/password-import-not-supported', null);
  // A path for each would be two gigabytes.
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
  expect(Object.keys(refused.json.error.fields)[0]).toMatch(/^users\.0\.long/);
  const short = await importUsers([{ email: newEmail(), ...passwords }]);
  expect(Object.keys(short.json.error.fields)).toHaveLength(100);
});

describe('a password is recognized', () => {
  test.each<[string, object]>([
    ['credentials', { credentials: { password: 'x' } }],
    ['account.login.passwordDigest', { account: { login: { passwordDigest: 'x' } } }],
    ['secret', { secret: '$2b$10$N9qo8uLOickgx2ZMRZoMye' }],
    ['secret', { secret: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' }],
    ['data.0', { data: ['$pbkdf2-sha512$25000$c2FsdA$aGFzaA'] }],
    ['claims.legacy.key', { claims: { legacy: { key: '$scrypt$ln=16,r=8,p=1$c2FsdA$aGFzaA' } } }],
  ])('at %s', (path, user) => {
    expect(passwordFieldsOf({ email: 'ada@example.com', ...user })).toEqual([path]);
  });

  test.each([
    'password',
    'password_hash',
    'passwordHash',
    'passwordhash',
    'hashedPassword',
    'encrypted_password',
    'PASSWORD',
    'hash',
    'salt',
    'PasswordSalt',
    'pwd',
    'passwd',
    'bcrypt',
    'digest',
    'scryptParams',
    'argon2id',
  ])('by the name %s', (name) => {
    expect(passwordFieldsOf({ email: 'ada@example.com', [name]: 'x' })).toEqual([name]);
  });

  test('and a similar name or value is not', async () => {
    const claims = {
      credential_level: 2,
      password_expired: false,
      passport_number: 'x',
      compass: 'x',
      salty: true,
      hashtags: ['$2 off'],
      digestion: 'x',
    };
    const { data } = await importUsers([{ email: newEmail(), first_name: '$2', claims }]);
    expect(data.created).toBe(1);
  });
});

test('concurrent imports of the same emails and member ids in opposite orders create each once, without a deadlock', async () => {
  const places = Array.from({ length: 1_000 }, (_, place) => String(place).padStart(3, '0'));
  const run = randomUUID();
  for (let round = 0; round < inFull(3, 1); round += 1) {
    const users = (tag: string, ids: string[]) =>
      places.map((place, at) => ({
        email: `${place}-${tag}-${round}-${run}@example.com`,
        member_id: `${run}-${round}-${ids[at]}`,
      }));
    const answers = await Promise.all([
      importUsers(users('a', places)),
      importUsers(users('b', places.toReversed())),
      importUsers(users('a', places.toReversed())),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { data }) => sum + data.created, 0)).toBe(1_000);
  }
});

testOnServer(
  'an import waits for another one of the same app, whatever the order of their rows, and not for other apps',
  async () => {
    const other = await service.newApp();
    const settled: string[] = [];
    const importInto = async (app: NewApp, name: string) => {
      const users = [{ email: newEmail() }];
      const { appKey } = app.app;
      const answer = await service.call('POST', '/admin/users/import', {
        appKey,
        token: app.secretKey,
        body: { users },
      });
      settled.push(name);
      expect(answer.data).toMatchObject({ created: 1 });
    };
    let waiting: Promise<void> | undefined;
    await service.database.prisma.$transaction(
      async (tx) => {
        await lockImports(tx, service.app.app.id);
        waiting = importInto(service.app, 'same');
        await untilBlocked(service.database, 1, 'pg_advisory_xact_lock');
        await importInto(other, 'other');
      },
      { timeout: 60_000 },
    );
    await waiting;
    expect(settled).toEqual(['other', 'same']);
  },
);

test('1 to 1,000 rows are accepted, in a body of up to 1 MiB', async () => {
  expectRefusal(await importUsers([]), 'request/validation-failed', null);
  const rows = Array.from({ length: 1_001 }, () => ({ email: 'bad' }));
  expectRefusal(await importUsers(rows), 'request/validation-failed', null);
  expect((await importUsers(rows.slice(1))).data.failed).toHaveLength(1_000);
  const ofBytes = (bytes: number) => {
    const empty = { email: newEmail(), filling: '' };
    return [{ ...empty, filling: 'x'.repeat(bytes - JSON.stringify({ users: [empty] }).length) }];
  };
  expect((await importUsers(ofBytes(1_048_576))).data.failed).toHaveLength(1);
  expectRefusal(await importUsers(ofBytes(1_048_577)), 'request/too-large');
});

test('an import repeated with its Idempotency-Key runs once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const users = [{ email: newEmail() }, { email: 'bad' }];
  const [first, again] = [await importUsers(users, headers), await importUsers(users, headers)];
  expect(again.text).toBe(first.text);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test.each([
  [86, 1_000],
  [87, 153],
])(
  'a fault that makes the message longer than 1,000 characters is left out of it: %i',
  async (last, length) => {
    const faulty = { email: 'x', first_name: 1, last_name: 1, photo_url: 1, disabled: 1 };
    const names = [...Array.from({ length: 7 }, (_, place) => `${place}`.padEnd(98, 'x')), 'y'.repeat(last)];
    const unknown = { ...Object.fromEntries(names.map((name) => [name, 1])), further: 1, more: 1 };
    const { data } = await importUsers([{ ...faulty, ...unknown }]);
    expect(data.failed[0]?.message).toHaveLength(length);
  },
);

test('the message of a user with many faults has at most the 1,000 characters that the contract promises', async () => {
  const unknown = Object.fromEntries(
    Array.from({ length: 20 }, (_, place) => [`${place}`.repeat(100).slice(0, 90), 1]),
  );
  const faulty = {
    ...unknown,
    email: 'x',
    first_name: 1,
    last_name: 1,
    photo_url: 1,
    member_id: 1,
    disabled: 1,
  };
  const { data } = await importUsers([faulty]);
  expect(data).toMatchObject({ created: 0, failed: [{ index: 0, code: 'request/validation-failed' }] });
  const message = data.failed[0]?.message as string;
  expect(message.length).toBeLessThanOrEqual(1_000);
  expect(message).toMatch(/^email: must be an email address\. /);
});
