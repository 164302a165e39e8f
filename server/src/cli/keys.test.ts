// foyer keys.
import { secretKeyScopes } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandLine, openCommandLine, runWithoutDatabase } from '../../test/command-line.js';

let foyer: CommandLine;
beforeAll(async () => {
  foyer = await openCommandLine();
  await foyer.run('apps', 'create', '--name', 'Shop', '--slug', 'shop');
});
afterAll(() => foyer.database.close());

const run: CommandLine['run'] = (...words) => foyer.run(...words);

const listed = async () => JSON.parse((await run('keys', 'list', 'shop', '--json')).stdout);

test('a key is created, printed once, listed without its secret, and revoked', async () => {
  const made = await run(
    ...['keys', 'create', 'shop', '--name', 'Backend', '--json', '--expires', '2100-01-01'],
    ...['--scopes', 'tokens:verify,users:read', '--scopes', 'audit:read'],
  );
  expect([made.code, made.stderr]).toEqual([0, '']);
  const { secret_key, ...key } = JSON.parse(made.stdout);
  expect(secret_key).toMatch(/^sk_[\w-]{43}$/);
  expect(key).toEqual({
    id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    name: 'Backend',
    last_four: secret_key.slice(-4),
    scopes: ['users:read', 'tokens:verify', 'audit:read'],
    created_at: expect.stringMatching(/Z$/),
    last_used_at: null,
    expires_at: '2100-01-01T00:00:00.000000Z',
    revoked_at: null,
  });
  expect(await listed()).toEqual([key, expect.objectContaining({ name: 'first key' })]);

  const { stdout } = await run('keys', 'revoke', 'shop', key.id);
  expect(stdout).toBe(`Revoked the secret key ${key.id}: it is rejected from now on.\n`);
  expect((await run('keys', 'revoke', 'shop', key.id)).stdout).toContain('was already revoked');
  expect((await listed())[0]).toEqual({ ...key, revoked_at: expect.stringMatching(/Z$/) });

  const said = (await run('keys', 'list', 'shop')).stdout;
  expect(said).toContain(`${key.id}  sk_…${key.last_four}  Backend\n  scopes  users:read tokens:verify`);
  expect(said).toMatch(/never used, expires 2100-01-01T00:00:00.000000Z, revoked \d/);
  expect(said).not.toContain(secret_key);
});

test('a key created with --all-scopes has every scope', async () => {
  const { stdout } = await run('keys', 'create', 'shop', '--name', 'All', '--all-scopes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ scopes: [...secretKeyScopes], expires_at: null });
});

test('without --json, the output of keys create has the id, the secret, the scopes and the expiry', async () => {
  const { stdout } = await run('keys', 'create', 'shop', '--name', 'Till', '--scopes', 'users:read');
  const [key] = await listed();
  expect(stdout.replace(/sk_[\w-]{43}/, 'sk_…')).toBe(
    `Created the secret key "Till" of the app "Shop".
  id          ${key.id}
  secret key  sk_…   (for your backend only; not shown again)
  scopes      users:read
  expires     never
`,
  );
});

test('an app without a key says how to create one, and a key that was used when', async () => {
  await run('apps', 'create', '--name', 'Other', '--slug', 'other');
  const [{ id }] = JSON.parse((await run('keys', 'list', 'other', '--json')).stdout);
  const { prisma } = foyer.database;
  await prisma.secretKey.updateMany({
    where: { id },
    data: { lastUsedAt: new Date('2026-03-01T10:00:00Z') },
  });
  const { stdout } = await run('keys', 'list', 'other');
  expect(stdout).toMatch(/ {2}created \S+, last used 2026-03-01T10:00:00.000000Z\n$/);
  await prisma.secretKey.deleteMany({ where: { id } });
  expect((await run('keys', 'list', 'other')).stdout).toBe(
    'The app has no secret key; create one with `foyer keys create`.\n',
  );
});

describe('refused with a message:', () => {
  const create = ['keys', 'create', 'shop'];
  test.each<[string, string[], number, string]>([
    ['no word after keys', ['keys'], 2, 'use keys create, keys list or keys revoke'],
    ['no app', ['keys', 'list'], 2, 'the app is missing'],
    ['no id', ['keys', 'revoke', 'shop'], 2, 'the id of the key is missing'],
    ['an unexpected argument', ['keys', 'list', 'shop', 'shop'], 2, 'unexpected argument'],
    ['no name', [...create, '--all-scopes'], 2, '--name is required'],
    ['no scope', [...create, '--name', 'A'], 2, `the scopes are ${secretKeyScopes.join(' ')}`],
    ['a scope nobody knows', [...create, '--name', 'A', '--scopes', 'users:red'], 2, 'no scope "users:red"'],
    ['both', [...create, '--name', 'A', '--scopes', 'users:read', '--all-scopes'], 2, 'cannot be combined'],
  ])('%s', async (_what, words, exitCode, part) => {
    const { code, stdout, stderr } = await runWithoutDatabase(words);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain(part);
    expect(stderr).toContain('foyer keys create <app>');
  });

  test('an unknown app, an unknown key or a time in the past', async () => {
    expect(await run('keys', 'list', 'nothing')).toMatchObject({
      code: 1,
      stderr: 'foyer: there is no app with the id or slug "nothing"\n',
    });
    expect(await run('keys', 'revoke', 'shop', 'nothing')).toMatchObject({
      code: 1,
      stderr: 'foyer: the app has no secret key with the id "nothing"\n',
    });
    const over = await run(...create, '--name', 'A', '--all-scopes', '--expires', '2020-01-01');
    expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining('in the future') });
  });
});
