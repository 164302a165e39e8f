// foyer export users: what a line contains, that another app imports it, and what a reader that goes away changes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPlace } from '@foyer/prisma/testing';
import { verify as verifyByOther } from '@node-rs/argon2';
import { verify } from 'argon2';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type CommandLine,
  openCommandLine,
  runHere,
  runWithoutDatabase,
} from '../../../test/command-line.js';
import { runFoyerUntilRead } from '../../../test/foyer-process.js';
import { type TestService, testEncryptionKey, testService } from '../../../test/harness.js';
import { passkeyScenario } from '../../../test/passkey-scenario.js';
import { secondFactorScenario } from '../../../test/second-factor-scenario.js';
import { exportUsers } from './export-users.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const bcrypt = '$2y$10$TB.PdnZ.C/tGENSZeeY0nevmDLJQJlDRPXwcgP7XcXR5qOk0iHqwu';

let commandLine: CommandLine;
let service: TestService;
let folder: string;
beforeAll(async () => {
  commandLine = await openCommandLine();
  service = await testService({ database: commandLine.database });
  folder = await mkdtemp(join(tmpdir(), 'foyer-export-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const slug = () => service.app.app.slug;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into lines of every shape.
type Line = any;
const linesOf = (stdout: string): Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function exported(of: string, ...more: string[]): Promise<Line[]> {
  const { code, stdout } = await commandLine.run('export', 'users', '--app', of, ...more);
  expect(code).toBe(0);
  return linesOf(stdout);
}

async function importInto(of: string, lines: Line[]) {
  const path = join(await mkdtemp(join(folder, 'lines-')), 'users.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return commandLine.run('import', 'foyer', path, '--app', of);
}

let apps = 0;
async function emptyApp() {
  apps += 1;
  const name = `copy-${apps}`;
  await commandLine.run('apps', 'create', '--name', 'Copy', '--slug', name);
  const { appKey } = await commandLine.database.prisma.app.findUniqueOrThrow({ where: { slug: name } });
  return { slug: name, appKey };
}

/** A user with everything that a line shows. */
async function fullUser() {
  const user = await service.signUp();
  const { secretKey: token, app } = service.app;
  const as = { token, appKey: app.appKey };
  await service.call('PUT', `/admin/users/${user.uid}/claims`, {
    ...as,
    body: { claims: { role: 'editor' } },
  });
  const add = (points: number, reference?: string) =>
    service.call('POST', `/admin/users/${user.uid}/loyalty/entries`, {
      ...as,
      body: { points, description: 'Dinner', ...(reference && { reference }) },
    });
  await add(1_000, 'order-1');
  await add(-150);
  await commandLine.database.prisma.identity.create({
    data: {
      ...{ appId: app.id, provider: 'provider-a', subject: `sub-${user.uid}`, uid: user.uid },
      ...{ email: user.email, clientId: 'web', linkedAt: new Date('2026-01-02T03:04:05.678Z') },
      ...{ userCreatedAt: service.clock.now(), refreshToken: Buffer.from('token of the provider') },
    },
  });
  return user;
}

test('a line has all that is stored of a user, and password hashes only on request', async () => {
  const user = await fullUser();
  await service.changeSettings({ second_factor: 'optional' });
  await passkeyScenario(() => service).enable();
  const { passkey } = await passkeyScenario(() => service).register(user.tokens.access_token);
  const factors = secondFactorScenario(() => service);
  const { secret, recoveryCodes } = await factors.enroll({ token: user.tokens.access_token });
  const { code, stdout } = await commandLine.run('export', 'users', '--app', slug());
  expect(code).toBe(0);
  const line = linesOf(stdout).find(({ uid }) => uid === user.uid);
  expect(line).toMatchObject({
    ...{
      email: user.email,
      has_password: true,
      second_factor: true,
      claims: { role: 'editor' },
      points: 850,
    },
    identities: [
      {
        ...{ provider: 'provider-a', subject: `sub-${user.uid}`, email: user.email },
        linked_at: '2026-01-02T03:04:05.678000Z',
      },
    ],
    passkeys: [{ name: passkey.name, credential_id: expect.stringMatching(/^[\w-]{20,}$/), counter: 0 }],
    ledger: [
      { points: 1_000, description: 'Dinner', reference: 'order-1' },
      { points: -150, description: 'Dinner', reference: null },
    ],
  });
  for (const hidden of ['argon2', 'password_hash', secret, ...recoveryCodes, 'token of the provider']) {
    expect(stdout).not.toContain(hidden);
  }
  const withHash = (await exported(slug(), '--with-hashes')).find(({ uid }) => uid === user.uid);
  const { password_hash, password_from_v1, ...rest } = withHash;
  expect([password_from_v1, rest]).toEqual([false, line]);
  for (const check of [verify, verifyByOther]) {
    expect(await check(password_hash, user.password)).toBe(true);
    expect(await check(password_hash, `${user.password}?`)).toBe(false);
  }
});

test('the order of the lines is that of the uids, and the same users are the same bytes', async () => {
  await service.signUp();
  const first = await commandLine.run('export', 'users', '--app', slug(), '--with-hashes');
  const uids = linesOf(first.stdout).map(({ uid }) => uid);
  expect(uids.length).toBeGreaterThan(1);
  expect(uids).toEqual(uids.toSorted());
  const again = await commandLine.run('export', 'users', '--app', slug(), '--with-hashes');
  expect(again.stdout).toBe(first.stdout);
});

test('each run has an audit entry that says whether hashes were exported', async () => {
  const { id: appId, slug: other } = (await service.newApp()).app;
  await commandLine.run('export', 'users', '--app', other);
  await commandLine.run('export', 'users', '--app', other, '--with-hashes');
  const entries = await service.auditEntries({ appId, action: 'users.exported' });
  expect(entries.map(({ actor, target, details }) => ({ actor, target, details }))).toEqual([
    { actor: 'command_line', target: `app:${appId}`, details: { hashes: false } },
    { actor: 'command_line', target: `app:${appId}`, details: { hashes: true } },
  ]);
});

describe('another app that imports the lines', () => {
  test('has the same users, who sign in with their passwords', async () => {
    const user = await fullUser();
    await commandLine.database.prisma.identity.create({
      data: {
        // As a provider of the settings is stored: a `sub` is unique at its issuer only.
        ...{
          appId: service.app.app.id,
          provider: 'contoso',
          subject: 'https://login.example.com Ada Lovelace',
        },
        ...{
          uid: user.uid,
          email: null,
          clientId: 'orchard',
          linkedAt: new Date('2026-01-02T03:04:05.678Z'),
        },
        userCreatedAt: service.clock.now(),
      },
    });
    const lines = (await exported(slug(), '--with-hashes')).filter(({ uid }) => uid === user.uid);
    const copy = await emptyApp();
    const outcome = await importInto(copy.slug, lines);
    expect([outcome.code, outcome.stderr.includes('100 %')]).toEqual([0, true]);
    const withoutTimes = ({ updated_at, last_sign_in_at, ...line }: Line) => line;
    const back = await exported(copy.slug, '--with-hashes');
    expect(back.map(withoutTimes)).toEqual(lines.map(withoutTimes));
    const signedIn = await service.signIn(user, { appKey: copy.appKey });
    expect([signedIn.status, signedIn.data.user.uid]).toEqual([200, user.uid]);
    const again = await importInto(copy.slug, lines);
    expect(again.stdout).toContain('1 were imported earlier, and are unchanged');
    expect((await exported(copy.slug, '--with-hashes')).length).toBe(1);
  });

  test('has users without a password where the export is without hashes', async () => {
    const user = await fullUser();
    const lines = (await exported(slug())).filter(({ uid }) => uid === user.uid);
    const copy = await emptyApp();
    const { stdout } = await importInto(copy.slug, lines);
    expect(stdout).toContain('password (the export is without hashes)');
    expect(await exported(copy.slug)).toMatchObject([{ uid: user.uid, has_password: false, points: 850 }]);
  });

  test('leaves out a hash that is not of Foyer, and a member id that is taken', async () => {
    const user = await fullUser();
    const [line] = (await exported(slug(), '--with-hashes')).filter(({ uid }) => uid === user.uid);
    const copy = await emptyApp();
    const other = (email: string, more: object) => ({
      ...{
        ...line,
        email,
        identities: [],
        uid: `${line.uid.slice(0, -2)}${email.slice(0, 2).toUpperCase()}`,
      },
      ...more,
    });
    const { stdout } = await importInto(copy.slug, [
      line,
      other('aa@example.com', { member_id: 'M-1', password_hash: bcrypt }),
      other('bb@example.com', { member_id: 'M-2', password_hash: bcrypt, password_from_v1: true }),
      other('cc@example.com', { password_hash: '$argon2id$v=19$m=999999,t=2,p=1$c2FsdHNhbHQ$aGFzaA' }),
    ]);
    expect(stdout).toContain('Imported 4 of 4 users of Foyer');
    expect(stdout).toContain('           1  member id that another user has\n');
    const kept = Object.fromEntries(
      (await exported(copy.slug, '--with-hashes')).map((each) => [each.email, each]),
    );
    expect(kept['aa@example.com']).toMatchObject({ member_id: 'M-1', password_hash: null });
    expect(kept['bb@example.com']).toMatchObject({ password_hash: bcrypt, password_from_v1: true });
    expect(kept['cc@example.com'].password_hash).toBeNull();
    expect(kept['cc@example.com'].member_id).not.toBe(line.member_id);
  });

  test.each<[string, (line: Line) => object]>([
    ['whose points are not the sum of the ledger', (line) => ({ points: line.points + 1 })],
    [
      'whose reference is there twice',
      (line) => ({ ledger: [line.ledger[0], line.ledger[0]], points: 2_000 }),
    ],
    ['without a uid', () => ({ uid: undefined })],
    ['with a uid of another form', () => ({ uid: 'user-1' })],
    ['with half a surrogate pair', () => ({ member_id: '\ud800' })],
  ])('refuses a line %s', async (_what, change) => {
    const user = await fullUser();
    const [line] = (await exported(slug(), '--with-hashes')).filter(({ uid }) => uid === user.uid);
    const copy = await emptyApp();
    const { code, stdout } = await importInto(copy.slug, [{ ...line, ...change(line) }]);
    expect([code, stdout.includes('is not a line of foyer export users')]).toEqual([3, true]);
    expect((await commandLine.run('export', 'users', '--app', copy.slug)).stdout).toBe('');
  });
});

test('a ledger of many pages is complete, and one that grows meanwhile still adds up', async () => {
  const { app } = await service.newApp();
  const { prisma } = commandLine.database;
  const ids = ['A', 'B', 'C'].map((letter) => `01JC4Q7M0RZ9X2V5T8W3Y6K1N${letter}`);
  const time = service.clock.now();
  for (const [place, id] of ids.entries()) {
    // The last entry of each was added after its row was read.
    const ledgerSize = place === 1 ? 4_500 : 1;
    await prisma.user.create({
      data: {
        ...{ appId: app.id, id, email: `${place}@example.com`, memberId: `m${place}`, points: ledgerSize },
        ...{ ledgerSize, createdAt: time, updatedAt: time },
      },
    });
    await prisma.$executeRaw`INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, created_at)
      SELECT ${app.id}, ${id}, ${id}::text || n, n, 1, 'Dinner', now() FROM generate_series(1, ${ledgerSize}::int + 1) AS n`;
  }
  const lines = await exported(app.slug);
  expect(lines.map(({ ledger, points }) => [ledger.length, points])).toEqual([
    [1, 1],
    [4_500, 4_500],
    [1, 1],
  ]);
});

test('more users than a page are all there, once each', async () => {
  const { app } = await service.newApp();
  await commandLine.database.prisma
    .$executeRaw`INSERT INTO users (app_id, id, email, member_id, created_at, updated_at)
    SELECT ${app.id}, '01JC' || lpad(n::text, 22, '0'), n || '@example.com', n::text, now(), now()
    FROM generate_series(1, 1000) AS n`;
  const { stdout, stderr } = await commandLine.run('export', 'users', '--app', app.slug);
  expect(new Set(linesOf(stdout).map(({ uid }) => uid)).size).toBe(1_000);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1_000);
  expect(stderr).toContain('100 %  1,000 users\n');
  const onTerminal = await commandLine.runOnTerminal('export', 'users', '--app', app.slug);
  expect(onTerminal.stderr).toMatch(/\r\[#{30}\] 100 % {2}1,000 users\n$/);
});

test('an export that cannot be written fails, unlike one whose reader has gone', async () => {
  const { app } = await service.newApp();
  await service.signUp({ appKey: app.appKey });
  const exported = (code: string) =>
    exportUsers(['users', '--app', app.slug], (work) => work(service.deps, () => {}), {
      write: () => Promise.reject(Object.assign(new Error(code), { code })),
      stderr: { write: () => true },
    });
  await expect(exported('ENOSPC')).rejects.toThrow('ENOSPC');
  expect(await exported('EPIPE')).toBe(141);
});

test('a reader that closes the pipe ends the command quietly, with the exit code of SIGPIPE', async () => {
  const place = await createTestPlace();
  const env = { ...place.env, ENCRYPTION_KEYS: testEncryptionKey };
  await runHere(['apps', 'create', '--name', 'Shop', '--slug', 'shop'], env);
  const users = Array.from({ length: 3_000 }, (_, n) => ({ localId: `${n}`, email: `${n}@example.com` }));
  const path = join(folder, 'many.json');
  await writeFile(path, JSON.stringify({ users }));
  await runHere(['import', 'firebase', path, '--app', 'shop'], env);
  const { code, stderr } = await runFoyerUntilRead(['export', 'users', '--app', 'shop'], env);
  expect([code, stderr.includes('foyer:')]).toEqual([141, false]);
  await place.remove();
});

describe('refused with a message:', () => {
  test.each<[string, string[], string]>([
    ['nothing to export', ['export'], 'users is missing'],
    ['something else', ['export', 'records', '--app', 'shop'], 'only users can be exported'],
    ['no app', ['export', 'users'], '--app is required'],
  ])('%s', async (_what, words, part) => {
    const { code, stdout, stderr } = await runWithoutDatabase(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(part);
  });

  test('an unknown app', async () => {
    const { code, stdout, stderr } = await commandLine.run('export', 'users', '--app', 'nowhere');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('there is no app with the id or slug "nowhere"');
  });
});
