// foyer import: an export of each service in the format of its own tool, and what a second run, a dry run and a kill change.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@foyer/contract';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type CommandLine,
  openCommandLine,
  runHere,
  runWithoutDatabase,
} from '../../../test/command-line.js';
import { runFoyer } from '../../../test/foyer-process.js';
import { testEncryptionKey } from '../../../test/harness.js';
import { openFiles } from '../../../test/open-files.js';
import {
  auth0Export,
  betterAuthLines,
  clerkCsv,
  clerkJson,
  firebaseExport,
  supabaseCsv,
  supabaseLines,
} from '../../../test/service-exports.js';
import { inFull } from '../../../test/thorough.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let commandLine: CommandLine;
let folder: string;
beforeAll(async () => {
  commandLine = await openCommandLine();
  folder = await mkdtemp(join(tmpdir(), 'foyer-import-'));
});
afterAll(async () => {
  await commandLine.database.close();
  await rm(folder, { recursive: true, force: true });
});

let apps = 0;
/** Each test has an app of its own, because the exports have the same emails. */
async function newApp(): Promise<string> {
  apps += 1;
  const slug = `shop-${apps}`;
  await commandLine.run('apps', 'create', '--name', 'Shop', '--slug', slug);
  return slug;
}

async function fileOf(text: string | Buffer): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'export-')), 'users');
  await writeFile(path, text);
  return path;
}

async function importInto(slug: string, service: string, path: string, ...more: string[]) {
  const outcome = await commandLine.run('import', service, path, '--app', slug, ...more);
  return { ...outcome, lines: outcome.stdout.trimEnd().split('\n') };
}

const reportOf = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The users of an app with what an import sets, by email. */
async function usersOf(slug: string) {
  const { prisma } = commandLine.database;
  const users = await prisma.user.findMany({ where: { app: { slug } }, include: { identities: true } });
  return Object.fromEntries(
    users.map((user) => [
      user.email,
      {
        ...(user.emailVerified && { verified: user.emailProven }),
        ...(user.firstName !== null && { first: user.firstName }),
        ...(user.lastName !== null && { last: user.lastName }),
        ...(user.photoUrl !== null && { photo: user.photoUrl }),
        ...(user.disabled && { disabled: true }),
        ...(Object.keys(user.claims as object).length > 0 && { claims: user.claims }),
        ...(user.lastSignInAt && { signedIn: user.lastSignInAt.toISOString() }),
        ...(user.passwordHash !== null && { password: user.passwordHash }),
        created: user.createdAt.toISOString(),
        identities: user.identities
          .map(({ provider, subject, email, linkedAt }) => [provider, subject, email, linkedAt.toISOString()])
          .sort(),
      },
    ]),
  );
}

type Expected = { users: object; notImported: [string, string][]; leftOut: Record<string, string[]> };

const time = 'time of creation';

test.each<[string, string, string, Expected]>([
  [
    'firebase',
    'the JSON of auth:export',
    firebaseExport,
    {
      users: {
        'ada@example.com': {
          ...{ verified: true, first: 'Ada', last: 'King Lovelace', claims: { role: 'editor' } },
          photo: 'https://lh3.googleusercontent.com/a/ada',
          signedIn: '2023-11-14T22:13:20.123Z',
          created: '2020-09-13T12:26:40.456Z',
          identities: [
            ['provider-a', '117000000000000000001', 'ada@example.com', '2020-09-13T12:26:40.456Z'],
          ],
        },
        'disabled@example.com': {
          ...{ first: 'Prince', disabled: true, created: '2020-09-13T12:26:40.456Z', identities: [] },
        },
      },
      notImported: [
        ['fb-anonymous', 'is anonymous'],
        ['fb-phone', 'has a phone number and no email'],
        ['fb-again', 'the email belongs to another account'],
        ['fb-invalid', 'the email must be an email address'],
      ],
      leftOut: {
        'fb-ada': [
          'identity of facebook.com',
          'password hash (Firebase scrypt)',
          'claims with reserved names',
        ],
        'fb-disabled': ['second factor', 'phone number'],
      },
    },
  ],
  [
    'supabase',
    'the CSV of COPY',
    supabaseCsv,
    {
      users: {
        'ada@example.com': {
          ...{ verified: true, first: 'Ada', last: 'Lovelace', claims: { role: 'editor' } },
          photo: 'https://example.com/a.png',
          signedIn: '2024-02-01T08:00:00.000Z',
          created: '2024-01-15T10:29:00.500Z',
          identities: [],
        },
        'banned@example.com': {
          ...{ first: 'Line', last: 'Break', disabled: true },
          created: '2024-01-15T10:29:00.000Z',
          identities: [],
        },
      },
      notImported: [
        ['sb-phone', 'has a phone number and no email'],
        ['sb-anonymous', 'is anonymous'],
        ['sb-deleted', 'is deleted'],
      ],
      leftOut: {
        'sb-ada': ['identity of google (not in the file)', 'password hash (bcrypt)', 'user metadata'],
        'sb-banned': [],
      },
    },
  ],
  [
    'supabase',
    'lines with identities',
    supabaseLines,
    {
      users: {
        'eve@example.com': {
          ...{ verified: true, first: 'Eve', created: '2024-01-15T10:29:00.000Z' },
          identities: [
            ['provider-a', '118000000000000000001', 'eve@example.com', '2024-01-15T10:31:00.000Z'],
            [
              'provider-b',
              '001234.0123456789abcdef.0123',
              'abc@privaterelay.appleid.com',
              '2024-01-15T10:32:00.000Z',
            ],
          ],
        },
        // What users write into their metadata is neither an identity nor a claim.
        'thief@example.com': { created: '2024-01-15T10:29:00.000Z', identities: [] },
      },
      notImported: [[null as unknown as string, 'is not a JSON object']],
      leftOut: {
        'sb-eve': ['identity of github', 'second factor', 'photo'],
        'sb-thief': ['user metadata'],
      },
    },
  ],
  [
    'auth0',
    'the NDJSON of its export',
    auth0Export,
    {
      users: {
        'ada@example.com': {
          ...{ verified: true, first: 'Ada', last: 'Lovelace', disabled: true, claims: { plan: 'gold' } },
          photo: 'https://s.gravatar.com/avatar/1.png',
          signedIn: '2019-07-19T08:10:00.408Z',
          created: '2019-05-21T14:03:46.999Z',
          identities: [
            ['provider-a', '117000000000000000001', 'ada@gmail.example', '2019-05-21T14:03:46.999Z'],
          ],
        },
        'eve@example.com': {
          ...{ verified: true, first: 'Eve', created: '2020-05-21T14:03:46.999Z' },
          identities: [['provider-b', '001234.0123456789abcdef.0123', null, '2020-05-21T14:03:46.999Z']],
        },
        'hash@example.com': { created: expect.any(String), identities: [] },
      },
      notImported: [
        ['google-oauth2|118000000000000000001', 'the email belongs to another account'],
        ['sms|5ce405424afab', 'has a phone number and no email'],
      ],
      leftOut: {
        'auth0|5ce405424afaa': ['second factor', 'username', 'user metadata'],
        'apple|001234.0123456789abcdef.0123': [],
        'auth0|60425dc43519d90068f82973': ['password hash (bcrypt)', time],
      },
    },
  ],
  [
    'clerk',
    'the CSV of its dashboard',
    clerkCsv,
    {
      users: {
        'ada@example.com': {
          ...{ verified: true, first: 'Ada', last: 'Lovelace, Countess' },
          ...{ created: expect.any(String), identities: [] },
        },
        'eve@example.com': { created: expect.any(String), identities: [] },
      },
      notImported: [['user_phone', 'has a phone number and no email']],
      leftOut: {
        user_ada: ['password hash (bcrypt)', 'second factor', 'username', 'further email', time],
        user_eve: ['password hash (argon2id)', time, 'phone number'],
      },
    },
  ],
  [
    'clerk',
    'the JSON of its Backend API',
    clerkJson,
    {
      users: {
        'api@example.com': {
          ...{ verified: true, first: 'Ada', disabled: true, claims: { role: 'admin' } },
          photo: 'https://img.clerk.com/x',
          signedIn: '2021-02-03T18:54:27.000Z',
          created: '2021-02-03T18:54:25.000Z',
          identities: [
            ['provider-a', '117000000000000000001', 'api@example.com', '2021-02-03T18:54:26.000Z'],
          ],
        },
      },
      notImported: [],
      leftOut: {
        user_api: [
          'identity of oauth_github',
          'password (not in the file)',
          ...['further email', 'private metadata', 'unsafe metadata'],
        ],
      },
    },
  ],
  [
    'better-auth',
    'lines of its tables',
    betterAuthLines,
    {
      users: {
        'ada@example.com': {
          ...{ verified: true, first: 'Ada', last: 'Lovelace', claims: { role: 'admin' } },
          created: '2025-01-15T10:29:00.500Z',
          identities: [['provider-a', '117000000000000000001', null, '2025-02-15T10:29:00.500Z']],
        },
        'eve@example.com': {
          ...{ first: 'Eve', disabled: true, created: '2025-01-15T10:30:00.000Z' },
          identities: [['provider-b', '001234.0123456789abcdef.0123', null, '2025-01-15T10:30:00.000Z']],
        },
      },
      notImported: [['ba-anonymous', 'is anonymous']],
      leftOut: {
        'ba-ada': ['identity of discord', 'password hash (better-auth scrypt)', 'second factor'],
        '7': ['phone number'],
      },
    },
  ],
])('%s, %s: a dry run says what the import then does, and a second run changes nothing', async (...row) => {
  const [service, , text, { users, notImported, leftOut }] = row;
  const slug = await newApp();
  const path = await fileOf(text);
  const tried = await importInto(slug, service, path, '--dry-run');
  expect(tried.lines[0]).toMatch(
    /^Dry run, nothing is changed: would import \d of \d users of .* into "Shop"\.$/,
  );
  expect(await usersOf(slug)).toEqual({});

  const first = await importInto(slug, service, path);
  expect(first.code).toBe(notImported.length === 0 ? 0 : 3);
  expect(await usersOf(slug)).toEqual(users);
  const report = await reportOf(`${path}.report.2.jsonl`);
  const refused = report.filter(({ outcome }) => outcome === 'not imported');
  expect(refused.map(({ id, reason }) => [id, reason])).toEqual(notImported);
  const imported = report.filter(({ outcome }) => outcome === 'imported');
  expect(Object.fromEntries(imported.map(({ id, left_out }) => [id, left_out]))).toEqual(leftOut);
  // The dry run predicts every line, even the new uids.
  expect(await reportOf(`${path}.report.jsonl`)).toEqual(report);
  expect(tried.lines.slice(1, -1)).toEqual(first.lines.slice(1, -1));

  const second = await importInto(slug, service, path);
  expect(second.lines[0]).toMatch(/^Imported 0 of /);
  expect(second.lines[1]).toBe(`${imported.length} were imported earlier, and are unchanged.`);
  expect(await usersOf(slug)).toEqual(users);
  const again = await reportOf(`${path}.report.3.jsonl`);
  const there = again.filter(({ outcome }) => outcome === 'already imported');
  expect(there.map(({ id, uid }) => [id, uid])).toEqual(imported.map(({ id, uid }) => [id, uid]));
});

test('the summary counts and names what did not come over, and says what becomes of passwords', async () => {
  const slug = await newApp();
  const path = await fileOf(firebaseExport);
  const { lines, stderr } = await importInto(slug, 'firebase', path);
  expect(lines).toEqual([
    'Imported 2 of 6 users of Firebase into "Shop".',
    'Not imported: 4',
    '           1  is anonymous',
    '           1  has a phone number and no email',
    '           1  the email belongs to another account',
    '           1  the email must be an email address',
    'What did not come over of the others:',
    '           1  identity of facebook.com',
    '           1  password hash (Firebase scrypt)',
    '           1  claims with reserved names',
    '           1  second factor',
    '           1  phone number',
    expect.stringMatching(/^Foyer verifies only hashes of its own: .* emailed code/),
    `${path}.report.jsonl has a line for each user, with the new uid.`,
  ]);
  expect(stderr).toBe('100 %  6 users: 2 imported, 0 already imported\n');
  expect((await stat(`${path}.report.jsonl`)).mode & 0o777).toBe(0o600);
  expect(await readFile(`${path}.report.jsonl`, 'utf8')).not.toMatch(/example\.com|lSrfV15|Lovelace/);
  const { prisma } = commandLine.database;
  const app = await prisma.app.findUnique({ where: { slug } });
  const entries = await prisma.auditLog.findMany({
    where: { target: `app:${app?.id}`, action: 'users.imported' },
  });
  expect(entries.map(({ actor, details }) => [actor, details])).toEqual([
    ['command_line', { service: 'Firebase' }],
  ]);
});

test('a user who changed the email since is not imported a second time, even without a time of creation', async () => {
  const slug = await newApp();
  const path = await fileOf(clerkCsv);
  await importInto(slug, 'clerk', path);
  const { prisma } = commandLine.database;
  await prisma.user.updateMany({
    where: { app: { slug }, email: 'ada@example.com' },
    data: { email: 'countess@example.com' },
  });
  const { lines } = await importInto(slug, 'clerk', path);
  expect(lines.slice(0, 2)).toEqual([
    'Imported 0 of 3 users of Clerk into "Shop".',
    '2 were imported earlier, and are unchanged.',
  ]);
  expect(Object.keys(await usersOf(slug)).sort()).toEqual(['countess@example.com', 'eve@example.com']);
});

test('an identity that is linked already stays where it is, and the user comes without it', async () => {
  const slug = await newApp();
  const identity = { provider: 'google', provider_id: '117000000000000000001', identity_data: {} };
  const line = (id: string, identities: object[]) =>
    JSON.stringify({ id, email: `${id}@example.com`, created_at: '2024-01-15T10:29:00Z', identities });
  const second = { ...identity, provider_id: '118000000000000000001' };
  const numeric = { ...identity, provider_id: 1170 };
  const path = await fileOf(
    [line('first', [identity, second]), line('other', [identity]), line('numeric', [numeric])].join('\n'),
  );
  const { code } = await importInto(slug, 'supabase', path);
  expect(code).toBe(0);
  expect((await reportOf(`${path}.report.jsonl`)).map(({ left_out }) => left_out)).toEqual([
    ['identity that is linked already'],
    ['identity that is linked already'],
    ['identity without a valid subject'],
  ]);
  const users = await usersOf(slug);
  expect(Object.values(users).map(({ identities }) => identities.length)).toEqual([1, 0, 0]);
});

test('a user who is in the file twice is imported once, as a dry run says, however far apart the two are', async () => {
  const slug = await newApp();
  const user = (id: number, email = `user-${id}@example.com`) => ({ localId: `id-${id}`, email });
  // A batch has 500 users.
  const first = Array.from({ length: 500 }, (_, id) => user(id));
  const again = [user(0), user(1, 'other@example.com'), user(1_000, 'user-2@example.com')];
  const path = await fileOf(JSON.stringify({ users: [user(0), ...first, ...again, ...again] }));
  const tried = await importInto(slug, 'firebase', path, '--dry-run');
  const done = await importInto(slug, 'firebase', path);
  expect(Object.keys(await usersOf(slug))).toHaveLength(500);
  const report = await reportOf(`${path}.report.2.jsonl`);
  const outcomeOf = ({ outcome, reason }: { outcome: string; reason?: string }) => reason ?? outcome;
  expect([report[1], ...report.slice(501)].map(outcomeOf)).toEqual([
    'already imported',
    ...['already imported', 'already imported', 'the email belongs to another account'],
    ...['already imported', 'already imported', 'the email belongs to another account'],
  ]);
  expect(await reportOf(`${path}.report.jsonl`)).toEqual(report);
  expect(tried.lines.slice(1, -1)).toEqual(done.lines.slice(1, -1));
});

test('what cannot be stored is left out, and its user imported', async () => {
  const slug = await newApp();
  const user = (id: string, more: object) => ({ user_id: id, email: `${id}@example.com`, ...more });
  const created_at = '2024-01-15T10:29:00Z';
  const users = [
    user('names', { created_at, given_name: `A\u0000${'a'.repeat(200)}`, picture: 'javascript:alert(1)' }),
    user('claims', { created_at, app_metadata: { long: 'x'.repeat(1_000) } }),
    user('zero', { created_at, app_metadata: { text: 'a\u0000b' } }),
    user('future', { created_at: '2999-01-15T10:29:00Z', last_login: '2999-01-15T10:29:00Z' }),
    user('algorithm', { created_at, custom_password_hash: { algorithm: 'pbkdf2' } }),
    // Half of a surrogate pair, which JSON escapes.
    user('half', { created_at, app_metadata: { text: 'a\ud800' } }),
    user('half-key', { created_at, app_metadata: { 'a\ud800': 1 } }),
    // NFC writes each of these letters as two.
    user('decomposed', { created_at, given_name: '\u0958'.repeat(60) }),
  ];
  const path = await fileOf(JSON.stringify(users));
  const { code } = await importInto(slug, 'auth0', path);
  expect(code).toBe(0);
  expect((await reportOf(`${path}.report.jsonl`)).map(({ left_out }) => left_out)).toEqual([
    ['part of a name', 'photo'],
    ['claims of more than 1,000 bytes'],
    ['claims that Foyer does not accept'],
    [time],
    ['password hash (pbkdf2)'],
    ['claims that Foyer does not accept'],
    ['claims that Foyer does not accept'],
    ['part of a name'],
  ]);
  const stored = await usersOf(slug);
  expect(stored['names@example.com']).toMatchObject({ first: `A${'a'.repeat(99)}` });
  expect(stored['future@example.com']).not.toHaveProperty('signedIn');
});

test('the email of an identity is stored as at a sign-in, and no link is dated in the future', async () => {
  const slug = await newApp();
  const user = (id: string, email: string, linked: string) => ({
    ...{ id, email: `${id}@example.com`, created_at: '2024-01-15T10:29:00Z' },
    identities: [
      {
        ...{ provider: 'google', provider_id: id, created_at: linked },
        identity_data: { email },
      },
    ],
  });
  const past = '2024-02-15T10:29:00Z';
  const users = [
    user('upper', 'Ada@Gmail.Example', past),
    user('zero', 'a\u0000@gmail.example', past),
    user('long', `${'a'.repeat(300)}@gmail.example`, past),
    user('future', 'eve@gmail.example', '2999-01-15T10:29:00Z'),
  ];
  const { code, stderr } = await importInto(slug, 'supabase', await fileOf(JSON.stringify(users)));
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const stored = Object.values(await usersOf(slug)).flatMap(({ identities }) => identities);
  expect(stored.map(([, subject, email, linkedAt]) => [subject, email, linkedAt]).sort()).toEqual([
    ['future', 'eve@gmail.example', '2024-01-15T10:29:00.000Z'],
    ['long', null, '2024-02-15T10:29:00.000Z'],
    ['upper', 'ada@gmail.example', '2024-02-15T10:29:00.000Z'],
    ['zero', null, '2024-02-15T10:29:00.000Z'],
  ]);
});

test.runIf(process.platform === 'linux')(
  'an import that ends or stops leaves neither a bar on the terminal nor the report open',
  async () => {
    const user = (id: number) => ({ localId: `id-${id}`, email: `user-${id}@example.com` });
    const users = JSON.stringify({ users: Array.from({ length: 600 }, (_, id) => user(id)) });
    for (const [text, end] of [
      [users, /100 % {2}600 users: 600 imported, 0 already imported\n$/],
      [users.slice(0, -2), /% {2}500 users: 500 imported, 0 already imported\nfoyer: the import stopped /],
    ] as const) {
      const path = await fileOf(text);
      const words = ['import', 'firebase', path, '--app', await newApp()];
      const { stderr } = await commandLine.runOnTerminal(...words);
      expect(stderr).toMatch(end);
      expect(existsSync(`${path}.report.jsonl`)).toBe(true);
      expect(openFiles()).not.toContain(`${path}.report.jsonl`);
    }
  },
);

test('users with long lines are imported in batches of four megabytes', async () => {
  const padding = 'x'.repeat(999_900);
  const line = (id: number) =>
    `${JSON.stringify({ user_id: `${id}`, email: `${id}@example.com`, padding })}\n`;
  const path = await fileOf(Array.from({ length: 10 }, (_, id) => line(id)).join(''));
  const words = ['import', 'auth0', path, '--app', await newApp(), '--dry-run'];
  const { stderr } = await commandLine.runOnTerminal(...words);
  // The bar is drawn again after each batch.
  expect([...stderr.matchAll(/ (\d+) users:/g)].map(([, count]) => count)).toEqual(['5', '10']);
});

test('after kill -9 halfway and a second run, every user exists once', async () => {
  const place = await createTestPlace();
  const env = { ...place.env, ENCRYPTION_KEYS: testEncryptionKey };
  await runHere(['apps', 'create', '--name', 'Shop', '--slug', 'shop'], env);
  const many = inFull(20_000, 3_000);
  const users = Array.from({ length: many }, (_, id) => ({
    localId: `id-${id}`,
    email: `user-${id}@example.com`,
    createdAt: '1600000000456',
    providerUserInfo: [{ providerId: 'google.com', rawId: `${117_000_000_000 + id}` }],
  }));
  const path = await fileOf(JSON.stringify({ users }));
  const words = ['import', 'firebase', path, '--app', 'shop'];
  const killed = await runFoyer(words, env, /% .* imported/);
  expect([killed.code, killed.stdout]).toEqual([null, '']);
  const again = await runHere(words, env);
  const [, count] = /^([\d,]+) were imported earlier/m.exec(again.stdout) ?? [];
  const there = Number(count?.replace(',', ''));
  expect(there).toBeGreaterThan(0);
  expect(again.stdout).toContain(
    `Imported ${(many - there).toLocaleString('en')} of ${many.toLocaleString('en')} users of Firebase`,
  );
  const { prisma, close } = await openDatabase(place);
  expect(await prisma.user.count()).toBe(many);
  expect(await prisma.identity.count()).toBe(many);
  await close();
  await place.remove();
});

describe('as other tools save an export:', () => {
  const header = 'id,email,email_verified,name,created_at,banned,ban_expires';
  const row = 'ba-ada,ada@example.com,true,Ada Lovelace,2025-01-15 10:29:00,false,';
  const csv = `${header}\n${row}\n`;
  const json = JSON.stringify([
    {
      ...{ id: 'ba-ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' },
      created_at: '2025-01-15 10:29:00 UTC',
    },
  ]);
  const rows = (text: string) => `${header}\n${text}\n`;
  const ada = {
    ...{ verified: true, first: 'Ada', last: 'Lovelace', created: '2025-01-15T10:29:00.000Z' },
    identities: [],
  };

  test.each<[string, string | Buffer]>([
    ['CSV with a BOM and CRLF', `\ufeff${csv.replaceAll('\n', '\r\n')}`],
    ['CSV with semicolons', csv.replaceAll(',', ';')],
    ['CSV with tabs', csv.replaceAll(',', '\t')],
    ['CSV that names its semicolon', `sep=;\n${csv.replaceAll(',', ';')}`],
    ['CSV with spaces in its header', rows(row).replaceAll(',email', ', email')],
    ['CSV in UTF-16', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    ['JSON in UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le')],
    ['JSON with a BOM', `\ufeff${json}`],
    ['a page of a list, as an API answers it', `{"total": 1, "users": ${json}, "limit": 50}`],
    ['seconds since 1970', rows('ba-ada,ada@example.com,1,Ada Lovelace,1736936940,0,')],
    ['seconds with a fraction', rows('ba-ada,ada@example.com,1,Ada Lovelace,1736936940.000,0,')],
  ])('%s', async (_form, text) => {
    const slug = await newApp();
    await importInto(slug, 'better-auth', await fileOf(text));
    expect(await usersOf(slug)).toEqual({ 'ada@example.com': ada });
  });

  test.each<[string, string, string, Record<string, unknown>]>([
    [
      'a ban that ends in seconds',
      'better-auth',
      rows('1,a@b.cd,0,,1736936940,1,4102444800'),
      { disabled: true },
    ],
    [
      'a ban that never ends',
      'supabase',
      'id,email,created_at,banned_until\n1,a@b.cd,2025-01-15 10:29:00+00,infinity\n',
      { disabled: true },
    ],
    [
      'NULL in cells',
      'supabase',
      'id,email,email_confirmed_at,banned_until,deleted_at,created_at\n1,a@b.cd,NULL,NULL,NULL,2025-01-15 10:29:00+00\n',
      {},
    ],
    [
      'cells as COPY writes them',
      'supabase',
      'id\temail\temail_confirmed_at\tdeleted_at\tcreated_at\n1\ta@b.cd\t\\N\t\\N\t2025-01-15 10:29:00+00\n',
      {},
    ],
    [
      'JSON as COPY writes it',
      'supabase',
      'id\temail\tcreated_at\traw_app_meta_data\n' +
        '1\ta@b.cd\t2025-01-15 10:29:00+00\t{"provider": "email", "plan": "\\\\"gold\\\\"\\\\n"}\n',
      { claims: { plan: '"gold"\n' } },
    ],
    [
      'quotation marks within a cell',
      'better-auth',
      rows('1,a@b.cd,0,Ada "Countess" King,1736936940,0,'),
      { first: 'Ada', last: '"Countess" King' },
    ],
    [
      'spaces around the quotation marks of a cell',
      'better-auth',
      rows('1, "a@b.cd" , 0, "King, Ada" ,1736936940,0,'),
      { first: 'Ada', last: 'King' },
    ],
  ])('%s', async (_what, service, text, shown) => {
    const slug = await newApp();
    await importInto(slug, service, await fileOf(text));
    const created = expect.stringMatching(/^2025-01-15T10:29:00/);
    expect(await usersOf(slug)).toEqual({ 'a@b.cd': { created, identities: [], ...shown } });
  });

  test('a name between tabs that begins with a quotation mark ends at the tab', async () => {
    const slug = await newApp();
    const names = ['"Q', 'Bob', 'Cy "The C"', '"', '"Di ""The D"""'];
    const lines = names.map((name, index) => `${index}\t${index}@b.cd\t${name}\n`);
    const { code } = await importInto(
      slug,
      'better-auth',
      await fileOf(`"id"\temail\tname\n${lines.join('')}`),
    );
    expect(code).toBe(0);
    const users = Object.entries(await usersOf(slug)).map(([email, { first, last }]) => [email, first, last]);
    expect(users.sort()).toEqual([
      ['0@b.cd', '"Q', undefined],
      ['1@b.cd', 'Bob', undefined],
      ['2@b.cd', 'Cy', '"The C"'],
      ['3@b.cd', '"', undefined],
      ['4@b.cd', 'Di', '"The D"'],
    ]);
  });
});

describe('refused with a message:', () => {
  test.each<[string, string[], number, string]>([
    ['no service', ['import'], 2, 'the service is missing'],
    ['another service', ['import', 'okta', 'package.json', '--app', 'shop'], 2, 'must be one of firebase,'],
    ['no app', ['import', 'clerk', 'package.json'], 2, '--app is required'],
    ['no file', ['import', 'clerk', 'nowhere', '--app', 'shop'], 1, 'there is no file "nowhere"'],
  ])('%s', async (_what, words, exitCode, part) => {
    const { code, stdout, stderr } = await runWithoutDatabase(words);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain(part);
  });

  test.each<[string, string, string | Buffer, string]>([
    [
      'a CSV file of Firebase',
      'firebase',
      'fb-ada,ada@example.com',
      'is not the JSON of an export of Firebase',
    ],
    ['JSON that breaks off', 'firebase', firebaseExport.slice(0, 900), 'ends in the middle of its JSON'],
    ['JSON with a fault', 'auth0', '[{"user_id":"a"},,]', 'the import stopped'],
    ['CSV with a fault', 'clerk', 'id,email\n"a,b\n', 'the import stopped'],
    ['CSV that is not UTF-8', 'clerk', Buffer.from('id,email\nJ\u00f6rg,a@b.cd\n', 'latin1'), 'is not UTF-8'],
    ['JSON that is not UTF-8', 'clerk', Buffer.from('[{"id":"J\u00f6rg"}]', 'latin1'), 'is not UTF-8'],
  ])('%s', async (_what, service, text, part) => {
    const { code, stdout, stderr } = await importInto(await newApp(), service, await fileOf(text));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(part);
  });

  test.each([',', '\t'])(
    'a record with %j that is too long is not imported, and the others are',
    async (separator) => {
      const rows = [
        ['id', 'email', 'name'],
        ['1', 'a@b.cd', 'Ada'],
        ['2', 'b@b.cd', 'b'.repeat(limits.maxV1LineBytes)],
        ['3', 'c@b.cd', 'Cy'],
      ];
      const path = await fileOf(rows.map((cells) => `${cells.join(separator)}\n`).join(''));
      const { code } = await importInto(await newApp(), 'better-auth', path);
      expect(code).toBe(3);
      expect(
        (await reportOf(`${path}.report.jsonl`)).map(({ outcome, reason }) => reason ?? outcome),
      ).toEqual(['imported', `is longer than ${limits.maxV1LineBytes} bytes`, 'imported']);
    },
  );

  test('a line that cannot be read is not imported, with its reason, and the others are', async () => {
    const line = Buffer.from(
      `${JSON.stringify({ user_id: 'a', email: 'a@b.cd', created_at: '2024-01-15' })}\n`,
    );
    const long = Buffer.from(`{"user_id":"${'b'.repeat(limits.maxV1LineBytes)}"}\n`);
    const latin = Buffer.from('{"user_id":"J\u00f6rg"}\n', 'latin1');
    const path = await fileOf(Buffer.concat([line, long, latin, Buffer.from('{"user_id":\n[1]\n')]));
    const { code } = await importInto(await newApp(), 'auth0', path);
    expect(code).toBe(3);
    expect((await reportOf(`${path}.report.jsonl`)).map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'imported',
      `is longer than ${limits.maxV1LineBytes} bytes`,
      'is not UTF-8',
      'is not a JSON object',
      'is not a JSON object',
    ]);
  });

  test('an empty file imports nobody', async () => {
    const path = await fileOf('\n');
    const { code, lines, stderr } = await importInto(await newApp(), 'clerk', path);
    expect(existsSync(`${path}.report.jsonl`)).toBe(false);
    expect([code, lines]).toEqual([0, ['Imported 0 of 0 users of Clerk into "Shop".']]);
    expect(stderr).toBe('100 %  0 users: 0 imported, 0 already imported\n');
  });
});
