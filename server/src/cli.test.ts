// The command line: most commands run in this process, and as the real program where exit codes, files, signals or a
// running service matter.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLine, openCommandLine, runHere, runWithoutDatabase } from '../test/command-line.js';
import { type Outcome, runFoyer, startFoyer } from '../test/foyer-process.js';
import { freePort } from '../test/free-port.js';
import { testEncryptionKey } from '../test/harness.js';
import { deletedAppKeyPrefix } from './model/app.js';

// Each command is a process: one second on an idle machine, and many on a busy one.
vi.setConfig({ testTimeout: 300_000 });

const onPostgresql = Boolean(process.env.DATABASE_URL);
let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = await openCommandLine();
});
afterAll(() => commandLine.database.close());

const run: CommandLine['run'] = (...words) => commandLine.run(...words);

/** A user-facing message: no stack, class names or secrets. */
function expectSentence({ code, stdout, stderr }: Outcome, exitCode: number, ...parts: string[]) {
  expect([code, stdout]).toEqual([exitCode, '']);
  expect(stderr).toMatch(/^foyer: \S/);
  for (const part of parts) expect(stderr).toContain(part);
  expect(stderr).not.toMatch(/\n\s+at |Error:|node_modules|undefined|\[object/);
  expect(stderr).not.toContain(testEncryptionKey);
}

test.each<[string, string[], string]>([
  ['an unknown word', ['strat'], 'there is no command "strat"'],
  ['an option nobody knows', ['apps', 'list', '--jsno'], '--jsno'],
  ['a value out of range', ['apps', 'create', '--name', 'A', '--token-lifetime', '299'], '300 to 86400'],
  ['a value above it', ['apps', 'create', '--name', 'A', '--token-lifetime', '86401'], '300 to 86400'],
  ['an unknown algorithm', ['apps', 'create', '--name', 'A', '--token-algorithm', 'none'], 'ES256 or RS256'],
  [
    'the shortest lifetime with an unknown algorithm',
    ['apps', 'create', '--name', 'A', '--token-lifetime', '300', '--token-algorithm', 'none'],
    'ES256 or RS256',
  ],
  [
    'the longest lifetime with an unknown algorithm',
    ['apps', 'create', '--name', 'A', '--token-lifetime', '86400', '--token-algorithm', 'none'],
    'ES256 or RS256',
  ],
  ['no setting', ['apps', 'set', 'cafe'], 'apps set requires an app and at least one name=value'],
  ['no command', [], 'a command is missing'],
  ['no word after apps', ['apps'], 'use apps create, list, show, set, rename, disable, enable or delete'],
])('%s: prints the error and the usage, and exits with 2', async (_what, words, part) => {
  expectSentence(await runWithoutDatabase(words), 2, part, 'foyer apps create --name <name>');
});

test('every command gives an IP address of a host more than the 250 ms of Node', async () => {
  const before = getDefaultAutoSelectFamilyAttemptTimeout();
  setDefaultAutoSelectFamilyAttemptTimeout(250);
  await runWithoutDatabase(['help']);
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(2_500);
  setDefaultAutoSelectFamilyAttemptTimeout(before);
});

test('apps create prints the three keys of a new app, and apps list shows it without the secret', async () => {
  const created = await run('apps', 'create', '--name', 'Café', '--slug', 'cafe', '--json');
  expect([created.code, created.stderr]).toEqual([0, '']);
  const cafe = JSON.parse(created.stdout);
  expect(cafe).toEqual({
    app_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    app_key: expect.stringMatching(/^pk_/),
    secret_key: expect.stringMatching(/^sk_/),
  });
  const again = await run('apps', 'create', '--name', 'Other', '--slug', 'cafe');
  expectSentence(again, 1, 'an app with the slug cafe already exists');

  const shop = (await run('apps', 'create', '--name', 'Shop', '--token-algorithm', 'RS256')).stdout;
  const said =
    /app id +(\S{26})\n +slug +(shop-\S+)\n +app key +(pk_\S+) .*\n +secret key +(sk_\S+) .*not shown again/.exec(
      shop,
    );
  const [, app_id, slug, app_key, secret_key] = said ?? [];
  const { stdout } = await run('apps', 'list', '--json');
  expect(JSON.parse(stdout)).toEqual([
    { app_id: cafe.app_id, slug: 'cafe', name: 'Café', app_key: cafe.app_key, enabled: true },
    { app_id, slug, name: 'Shop', app_key, enabled: true },
  ]);
  for (const secret of [cafe.secret_key, secret_key]) expect(stdout).not.toContain(secret);
});

test('apps set changes settings by slug, prints them all, and refuses what the contract refuses', async () => {
  const { code, stdout } = await run('apps', 'set', 'cafe', 'sign_up=closed', 'mail.from_name=Café & Co');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    sign_up: 'closed',
    mail: { from_name: 'Café & Co', reply_to: null },
  });
  expectSentence(
    await run('apps', 'set', 'cafe', 'sing_up=closed'),
    1,
    'these settings are wrong',
    'sing_up',
  );
  expectSentence(await run('apps', 'set', 'cafè', 'sign_up=open'), 1, 'no app with the id or slug "cafè"');
  const text = { subject: 'Code', text: 'Your code' };
  const texts = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`en-r${10 + at}x`, text]));
  expectSentence(
    await run('apps', 'set', 'cafe', `mail.texts.sign_in=${JSON.stringify(texts)}`),
    1,
    'mail.texts.sign_in must have at most 50 languages',
  );
  const again = await run('apps', 'set', 'cafe', 'mail.from_name=null');
  expect(JSON.parse(again.stdout)).toMatchObject({ sign_up: 'closed', mail: { from_name: null } });
});

test('a name that a member chose neither adds lines to the lists nor controls the terminal', async () => {
  const hostile = 'Café\u001b[2J\nfoyer: call this number';
  const isPlain = ({ code, stdout }: Outcome) => {
    expect(code).toBe(0);
    expect(stdout).toContain('Café[2J foyer: call this number');
    expect(stdout).not.toContain('\u001b');
  };
  expect((await run('apps', 'rename', 'cafe', '--name', hostile)).code).toBe(0);
  isPlain(await run('apps', 'list'));
  isPlain(await run('apps', 'show', 'cafe'));
  const created = await run('keys', 'create', 'cafe', '--name', hostile, '--scopes', 'users:read');
  expect(created.code).toBe(0);
  isPlain(await run('keys', 'list', 'cafe'));
  expect((await run('apps', 'rename', 'cafe', '--name', 'Café')).code).toBe(0);
});

test('apps show prints the keys, the issuer and the settings of an app, and never its secret key', async () => {
  const shown = await run('apps', 'show', 'cafe', '--json');
  const { app_id, app_key, settings, ...names } = JSON.parse(shown.stdout);
  expect([names, settings.sign_up]).toEqual([{ slug: 'cafe', name: 'Café', enabled: true }, 'closed']);
  const { stdout } = await run('apps', 'show', 'cafe');
  expect(stdout).toBe(
    `Café
  app id      ${app_id}
  slug        cafe
  app key     ${app_key}
  issuer      http://localhost:3000/api/v2/apps/${app_id}
  settings
${JSON.stringify(settings, null, 2).replace(/^/gm, '    ')}
`,
  );
});

test('an app is renamed and disabled, and deleted only when it is disabled and the slug is confirmed', async () => {
  const steps: [words: string[], code: number, part: string | RegExp][] = [
    [['apps', 'create', '--name', 'Short-lived', '--slug', 'short'], 0, 'secret key'],
    [['apps', 'rename', 'short', '--name', 'Brief'], 0, 'Renamed "Short-lived" to "Brief"'],
    [['apps', 'delete', 'short', '--confirm', 'short'], 1, 'foyer apps disable short'],
    [['apps', 'disable', 'short'], 0, 'foyer apps enable short'],
    [['apps', 'disable', 'short'], 0, 'The app "Brief" is already disabled.'],
    [['apps', 'delete', 'short', '--confirm', 'cafe'], 1, 'foyer apps delete short --confirm short'],
    [
      ['apps', 'delete', 'short', '--confirm', 'short'],
      0,
      /^Deleted the app "Brief": \d+ rows and its files\.\nAudit log entries about the app itself are retained /,
    ],
  ];
  for (const [words, code, part] of steps) {
    const outcome = await run(...words);
    expect([words, outcome.code]).toEqual([words, code]);
    expect(outcome.stdout + outcome.stderr).toMatch(part);
  }
});

test('an app whose deletion was interrupted is not changed any more, and is deleted by the next run', async () => {
  await run('apps', 'create', '--name', 'Half gone', '--slug', 'half');
  await run('apps', 'disable', 'half');
  const app = await commandLine.database.prisma.app.findUniqueOrThrow({ where: { slug: 'half' } });
  const data = { appKey: `${deletedAppKeyPrefix}${app.id}` };
  await commandLine.database.prisma.app.update({ where: { id: app.id }, data });
  for (const words of [['enable'], ['rename', '--name', 'Back']])
    expectSentence(await run('apps', ...words, 'half'), 1, 'the deletion of this app has begun');
  expect((await run('apps', 'delete', 'half', '--confirm', 'half')).code).toBe(0);
});

test('rotate-keys does either of its works, not both at once', async () => {
  const words = ['rotate-keys', '--secret', '--revoke-retired'];
  expectSentence(await runWithoutDatabase(words), 2, '--secret and --revoke-retired cannot be combined');
});

test('rotate-keys names the current, next and retired key of each algorithm in use', async () => {
  const { code, stdout } = await run('rotate-keys', '--revoke-retired');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ES256: \S+ is current, \S+ is next, \S+ is retired\.$/m);
  expect(stdout).toMatch(/^RS256: \S+ is current, \S+ is next, \S+ is retired\.$/m);
  expect(stdout).toContain('Retired keys were removed from the key set');
});

test.each([
  ['rotate-keys', []],
  ['rotate-keys', ['--secret']],
  ['apps', ['create', '--name', 'Wrong', '--token-algorithm', 'RS256']],
])(
  '%s %j with another encryption key is refused with instructions, and writes nothing',
  async (command, rest) => {
    const wrong = { ENCRYPTION_KEYS: 'a-wrong-secret-key-for-tests-and-long-enough' };
    const outcome = await commandLine.runWith(wrong, command, ...rest);
    expectSentence(outcome, 1, 'ENCRYPTION_KEYS', 'append that key after the new one');
    const { stdout } = await run('apps', 'list', '--json');
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(['Café', 'Shop']);
  },
);

test('rotate-keys --secret re-encrypts stored keys and the secrets of apps, and reports a missing key without a change', async () => {
  expect((await run('apps', 'set', 'cafe', 'provider_a.client_secret=hushhush')).code).toBe(0);
  const newer = 'a-newer-secret-key-for-tests-and-long-enough';
  const rotate = (ENCRYPTION_KEYS: string) =>
    commandLine.runWith({ ENCRYPTION_KEYS }, 'rotate-keys', '--secret');
  expectSentence(await rotate(newer), 1, 'ENCRYPTION_KEYS has no key with the id');
  expect(await rotate(`${newer},${testEncryptionKey}`)).toMatchObject({
    code: 0,
    stdout: 'Re-encrypted 5 secrets with the first key of ENCRYPTION_KEYS.\n',
  });
  const entries = await commandLine.database.prisma.auditLog.findMany({
    where: { action: 'secrets.reencrypted' },
  });
  expect(entries.length).toBeGreaterThan(1);
  for (const { actor, target, details } of entries) {
    expect([actor, details]).toEqual(['command_line', { count: 5 }]);
    expect(target).toMatch(/^encryption_key:\d+$/);
  }
});

const testWithoutCitus = test.skipIf(process.env.FOYER_TEST_CITUS_WORKERS);

testWithoutCitus('migrate --distribute asks for a Citus cluster where there is none', async () => {
  expectSentence(await run('migrate', '--distribute'), 1, 'CREATE EXTENSION citus');
});

test('migrate reports that the database is up to date', async () => {
  const outcomes = [await run('migrate'), await run('migrate')];
  for (const { code, stdout } of outcomes)
    expect([code, stdout]).toEqual([0, 'The database is up to date.\n']);
});

test('the first start in an empty directory creates a demo app, and stores its keys for the owner only', async () => {
  const dataDir = join(await mkdtemp(join(tmpdir(), 'foyer-test-')), 'data');
  const port = String(await freePort());
  const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'fatal' };
  const modeOf = async (name: string) => (await stat(join(dataDir, name))).mode & 0o777;

  const foyer = await startFoyer(env);
  // The last start output, after the first answer.
  await expect.poll(foyer.stdout, { timeout: 60_000 }).toContain('demo.json');
  expect(foyer.stdout()).toContain(
    `Created a new, empty database in ${join(dataDir, 'postgres')} (DATA_DIR)\n`,
  );
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  expect(demo).toEqual({
    base_url: `http://localhost:${port}/api/v2`,
    app_id: expect.any(String),
    app_key: expect.stringMatching(/^pk_/),
    secret_key: expect.stringMatching(/^sk_/),
    mailbox_url: expect.stringMatching(`^http://localhost:${port}/dev/mailbox\\?secret=[\\w-]{43}$`),
  });
  expect(foyer.stdout()).toContain(`Mail is not sent; read it at ${demo.mailbox_url}\n`);
  expect([await modeOf('demo.json'), await modeOf('secret-key')]).toEqual([0o600, 0o600]);
  for (const key of [demo.app_key, demo.secret_key]) expect(foyer.stdout()).toContain(key);
  const signUp = (address: string, email: string, appKey = demo.app_key) =>
    fetch(`${address}/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-key': appKey },
      body: JSON.stringify({ email, password: 'correct horse' }),
      signal: AbortSignal.timeout(60_000),
    });
  expect((await signUp(demo.base_url, 'ada@example.com')).status).toBe(201);

  // The running service executes what it supports; the rest needs exclusive use of the directory.
  const made = await runFoyer(['apps', 'create', '--name', 'Beside', '--slug', 'beside', '--json'], env);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/), stderr: '' });
  const { app_key } = JSON.parse(made.stdout);
  expect((await signUp(demo.base_url, 'eve@example.com', app_key)).status).toBe(201);
  expect(await modeOf('commands.sock')).toBe(0o600);
  expectSentence(await runHere(['keys', 'list', 'nobody'], env), 1, 'no app with the id or slug "nobody"');
  expectSentence(await runHere(['migrate'], env), 1, dataDir, 'in use by another process', 'DATABASE_URL');
  const link = /http:\/\/localhost:\d+\/dashboard\/invitation#inv_[\w-]{43}/.source;
  const printed = `Open ${link} to create the first owner \\(works once, 24 hours\\)\n`;
  await expect.poll(foyer.stdout).toMatch(new RegExp(printed));
  const invited = await runHere(['console', 'invite-owner'], env);
  expect(invited.stdout).toMatch(new RegExp(`^Open ${link} `));
  expect(await foyer.kill('SIGTERM')).toBe(0);

  const again = await startFoyer(env);
  await expect.poll(again.stdout, { timeout: 60_000 }).toContain('demo.json');
  expect(again.stdout()).toContain(demo.app_key);
  expect(again.stdout()).toContain(
    `Opened the existing database in ${join(dataDir, 'postgres')} (DATA_DIR)\n`,
  );
  expect(again.stdout()).not.toContain(demo.secret_key);
  expect((await signUp(demo.base_url, 'ada@example.com')).status).toBe(409);
  expect(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))).toEqual(demo);
  expect(await again.kill('SIGTERM')).toBe(0);
  await rm(dataDir, { recursive: true });
});

/** A database of PostgreSQL with the environment of a service on it. */
async function place() {
  const { env, remove } = await createTestPlace();
  const own = { PORT: String(await freePort()), HOST: '127.0.0.1', LOG_LEVEL: 'fatal' };
  return { env: { ...env, ...own, ENCRYPTION_KEYS: testEncryptionKey }, remove };
}

test.runIf(onPostgresql)(
  'a first start without an app prints how to create one, and a later start does not',
  async () => {
    const { env, remove } = await place();
    const first = await startFoyer(env);
    await expect.poll(first.stdout).toContain('to create the first owner');
    expect(first.stdout()).toContain('foyer apps create --name "My app"');
    expect(await first.kill('SIGTERM')).toBe(0);
    expect((await runFoyer(['apps', 'create', '--name', 'My app'], env)).code).toBe(0);
    const second = await startFoyer(env);
    await expect.poll(second.stdout).toContain('to create the first owner');
    expect(await second.kill('SIGTERM')).toBe(0);
    expect(second.stdout()).not.toContain('apps create');
    await remove();
  },
);

test.runIf(onPostgresql)('rotate-keys takes effect in a running service within seconds', async () => {
  const { env, remove } = await place();
  const foyer = await startFoyer(env);
  const keySet = async () => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/api/v2/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    return keys.map((key) => key.kid);
  };
  const { stdout } = await runFoyer(['rotate-keys'], env);
  const [, current, next, retired] =
    /ES256: (\S+) is current, (\S+) is next, (\S+) is retired/.exec(stdout) ?? [];
  expect(await keySet()).toEqual(expect.arrayContaining([current, retired]));
  // The running process reloads its keys every five seconds, by the machine's clock.
  await expect.poll(keySet, { timeout: 60_000, interval: 250 }).toContain(next);
  expect(await foyer.kill('SIGTERM')).toBe(0);
  await remove();
});
