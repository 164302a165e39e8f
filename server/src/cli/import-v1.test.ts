// foyer import-v1: in this process, and as a process that is killed.
import { writeFileSync } from 'node:fs';
import { link, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CommandLine, openCommandLine, runHere, runWithoutDatabase } from '../../test/command-line.js';
import { runFoyer } from '../../test/foyer-process.js';
import { manualClock, testEncryptionKey, testService } from '../../test/harness.js';
import { openFiles } from '../../test/open-files.js';
import { inFull } from '../../test/thorough.js';
import { exportedUser, linesOf, tokenLine, v1Password, v1TokenOf } from '../../test/v1-export.js';
import { systemClock } from '../lib/clock.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let commandLine: CommandLine;
let folder: string;
const createShop = ['apps', 'create', '--name', 'Shop', '--slug', 'shop', '--json'];
beforeAll(async () => {
  commandLine = await openCommandLine();
  folder = await mkdtemp(join(tmpdir(), 'foyer-import-'));
  await run(...createShop);
});
afterAll(async () => {
  await commandLine.database.close();
  await rm(folder, { recursive: true, force: true });
});

const run: CommandLine['run'] = (...words) => commandLine.run(...words);

async function fileOf(name: string, users: object[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, linesOf(users));
  return path;
}

/** Row counts of the database, read while no other process has it open. */
async function countsIn(place: TestPlace) {
  const { prisma, close } = await openDatabase(place);
  try {
    const users = await prisma.user.findMany({ select: { v1Id: true, points: true } });
    const { _sum } = await prisma.loyaltyEntry.aggregate({ _sum: { points: true } });
    return {
      users: users.length,
      ids: new Set(users.map(({ v1Id }) => v1Id)).size,
      points: users.reduce((sum, { points }) => sum + points, 0),
      ledger: _sum.points ?? 0,
      tokens: await prisma.v1Token.count(),
    };
  } finally {
    await close();
  }
}

test('after kill -9 halfway and a second run, every user exists once and can sign in', async () => {
  const place = await createTestPlace();
  const env = { ...place.env, ENCRYPTION_KEYS: testEncryptionKey };
  const run = (...words: string[]) => runHere(words, env);
  const appKey = JSON.parse((await run(...createShop)).stdout).app_key;
  const many = inFull(10_000, 3_000);
  const manyWritten = many.toLocaleString('en');
  // The command line uses the system clock.
  const last_used_at = new Date(systemClock.now().getTime() - 86_400_000).toISOString();
  const users = Array.from({ length: many }, (_, place) =>
    exportedUser(place + 1, { tokens: [tokenLine(place + 1, { last_used_at })] }),
  );
  const path = await fileOf('users.jsonl', users);
  const killed = await runFoyer(['import-v1', path, '--app', 'shop'], env, /% .* imported/);
  expect([killed.code, killed.stdout]).toEqual([null, '']);
  const half = await countsIn(place);
  expect(half.users).toBeGreaterThan(0);
  expect(half.users).toBeLessThan(many);
  expect([half.tokens, half.ledger]).toEqual([half.users, half.points]);

  const again = await run('import-v1', path, '--app', 'shop');
  expect(again.code).toBe(0);
  expect(again.stdout.split('\n')).toEqual([
    `Imported ${(many - half.users).toLocaleString('en')} of ${manyWritten} users into "Shop".`,
    `${half.users.toLocaleString('en')} were imported earlier, by another run or another line, and are unchanged.`,
    `The next numeric id in v1 is ${many + 1}.`,
    '',
  ]);
  const points = many * 850;
  expect(await countsIn(place)).toEqual({ users: many, ids: many, points, ledger: points, tokens: many });

  const service = await testService({
    database: await openDatabase(place),
    clock: manualClock(systemClock.now()),
  });
  const post = (version: 'v1' | 'v2', path: string, body: object) =>
    service.call('POST', path, { version, body, appKey });
  for (const id of [1, many / 2, many]) {
    const user = { email: `v1-user-${id}@example.com`, password: v1Password };
    expect((await post('v2', '/auth/sign-in', user)).status).toBe(200);
    expect((await post('v1', '/login', user)).status).toBe(200);
    expect((await post('v2', '/auth/token/from-v1', { v1_token: v1TokenOf(id) })).status).toBe(200);
  }
  if (place.dataDir) {
    const refused = await run('import-v1', path, '--app', 'shop');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^foyer: .*(in use|another process)/);
  } else {
    const second = await run('import-v1', path, '--app', 'shop');
    expect([second.code, second.stdout]).toEqual([
      0,
      expect.stringContaining(`${manyWritten} were imported earlier`),
    ]);
  }
  await service.stop();
  await place.remove();
});

test('refused lines are reported in a separate file, without their values, and the exit code is 3', async () => {
  const wrong = { ...exportedUser(20_001), email: 'nobody', password_hash: 'in the clear' };
  const path = await fileOf('some.jsonl', [wrong, exportedUser(20_002)]);
  const { code, stdout, stderr } = await run('import-v1', path, '--app', 'shop');
  expect(code).toBe(3);
  expect(stdout).toContain('Imported 1 of 2 users into "Shop".');
  expect(stdout).toContain(`Rejected lines: 1; ${path}.refused.jsonl lists them`);
  const report = await readFile(`${path}.refused.jsonl`, 'utf8');
  expect(JSON.parse(report)).toEqual({
    line: 1,
    id: 20_001,
    reason: expect.stringMatching(/^email must be an email address; password_hash must be a bcrypt hash/),
  });
  expect((await stat(`${path}.refused.jsonl`)).mode & 0o777).toBe(0o600);
  for (const said of [report, stdout, stderr]) expect(said).not.toMatch(/nobody|in the clear|example\.com/);

  // Corrected and run again: the refused line is imported, and the first report remains.
  await fileOf('some.jsonl', [exportedUser(20_001), exportedUser(20_002)]);
  const mended = await run('import-v1', path, '--app', 'shop', '--report', join(folder, 'elsewhere.jsonl'));
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining('Imported 1 of 2 users')]);
  await expect(stat(join(folder, 'elsewhere.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readFile(`${path}.refused.jsonl`, 'utf8')).toBe(report);
});

test('a report never replaces a file: a given --report is refused, and the default name gets a number', async () => {
  const path = await fileOf('again.jsonl', [{ id: 20_041 }]);
  const kept = join(folder, 'kept.txt');
  await writeFile(kept, 'kept');
  const named = await run('import-v1', path, '--app', 'shop', '--report', kept);
  expect([named.code, named.stdout]).toEqual([1, '']);
  expect(named.stderr).toMatch(/^foyer: the file ".*kept\.txt" already exists; choose another with --report/);
  expect(await readFile(kept, 'utf8')).toBe('kept');

  await writeFile(`${path}.refused.jsonl`, 'kept too');
  const { code, stdout } = await run('import-v1', path, '--app', 'shop');
  expect([code, stdout]).toEqual([3, expect.stringContaining(`${path}.refused.2.jsonl lists them`)]);
  expect(await readFile(`${path}.refused.jsonl`, 'utf8')).toBe('kept too');
});

test('the report lists users imported with changed values, and the exit code is 0', async () => {
  const user = exportedUser(20_031, { photo_url: 'http://example.com/secret.png' });
  const path = await fileOf('noted.jsonl', [user, exportedUser(20_032), user]);
  const { code, stdout } = await run('import-v1', path, '--app', 'shop');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'Imported 2 of 3 users into "Shop".',
    '1 were imported earlier, by another run or another line, and are unchanged.',
    'The next numeric id in v1 is 20042.',
    `2 were imported with changes; see ${path}.refused.jsonl.`,
    '',
  ]);
  const note = 'photo_url is left out: it must be an https URL';
  const told = (line: number) => `${JSON.stringify({ line, id: 20_031, note })}\n`;
  expect(await readFile(`${path}.refused.jsonl`, 'utf8')).toBe(told(1) + told(3));
});

test('an aborted import prints the reason, and that it can be run again', async () => {
  const path = await fileOf('wrong.jsonl', [{ ...exportedUser(20_003), points: -1 }]);
  const running = run('import-v1', path, '--app', 'shop');
  // Another program creates the report after its name was chosen.
  writeFileSync(`${path}.refused.jsonl`, 'kept');
  const { code, stdout, stderr } = await running;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^foyer: the import stopped \(EEXIST.*\); run it again to continue\n$/);
  expect(await readFile(`${path}.refused.jsonl`, 'utf8')).toBe('kept');
});

test('a report that could not be written is refused before the import, and not at the first rejected line', async () => {
  const path = await fileOf('early.jsonl', [exportedUser(20_051), { id: 20_052 }]);
  const refused = await run('import-v1', path, '--app', 'shop', '--report', join(folder, 'no/x'));
  const sentence = `the folder ${JSON.stringify(join(folder, 'no'))} cannot be written to; choose another file with --report`;
  expect(refused).toEqual({ code: 1, stdout: '', stderr: `foyer: ${sentence}\n` });
  const after = await run('import-v1', path, '--app', 'shop');
  expect(after.stdout).toContain('Imported 1 of 2 users');
});

test('progress ends at exactly 100 % for a file of three lines and for an empty one', async () => {
  const three = await fileOf(
    'three.jsonl',
    [20_011, 20_012, 20_013].map((id) => exportedUser(id)),
  );
  const told = await run('import-v1', three, '--app', 'shop');
  expect(told).toMatchObject({
    code: 0,
    stderr: '100 %  3 lines: 3 imported, 0 already imported, 0 rejected\n',
  });
  const empty = await run('import-v1', await fileOf('empty.jsonl', []), '--app', 'shop');
  expect(empty).toMatchObject({
    code: 0,
    stderr: '100 %  0 lines: 0 imported, 0 already imported, 0 rejected\n',
  });
});

test.runIf(process.platform === 'linux')(
  'on a terminal each pass over the file has a bar of its own, and the report is closed',
  async () => {
    const users = Array.from({ length: 500 }, (_, place) => exportedUser(30_000 + place));
    const path = await fileOf('bars.jsonl', [...users, { id: 40_000 }]);
    const { stderr } = await commandLine.runOnTerminal('import-v1', path, '--app', 'shop');
    const [ids = '', imported = '', ...more] = stderr.split('\n');
    expect(ids).toMatch(/ reading the file$/);
    expect(imported).toMatch(/100 % {2}501 lines: 500 imported, 0 already imported, 1 rejected *$/);
    expect(imported).not.toContain('reading the file');
    expect(more).toEqual(['']);
    expect(openFiles()).not.toContain(`${path}.refused.jsonl`);
  },
);

test.each<[string, (path: string) => Promise<string>]>([
  ['the same path', async (path) => path],
  ['the same path in other words', async (path) => `${folder}/./${basename(path)}`],
  ['a symbolic link', (path) => linked(symlink, path)],
  ['a hard link', (path) => linked(link, path)],
])('a report that is the imported file, by %s, is refused and nothing is written', async (_, reportOf) => {
  const path = await fileOf('own.jsonl', [exportedUser(20_021), { id: 20_022 }]);
  const before = await readFile(path, 'utf8');
  const report = await reportOf(path);
  const { code, stdout, stderr } = await run('import-v1', path, '--app', 'shop', '--report', report);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--report must not be the file to import');
  expect(await readFile(path, 'utf8')).toBe(before);
  expect(await readFile(report, 'utf8')).toBe(before);
});

async function linked(make: typeof link | typeof symlink, path: string): Promise<string> {
  const other = `${path}.${make.name}`;
  await make(path, other);
  return other;
}

describe('refused with a message:', () => {
  test.each<[string, string[], number, string]>([
    ['no file', ['import-v1', '--app', 'shop'], 2, 'the file is missing'],
    ['no app', ['import-v1', 'package.json'], 2, '--app is required'],
    [
      'a file that is not there',
      ['import-v1', 'nowhere.jsonl', '--app', 'shop'],
      1,
      'there is no file "nowhere.jsonl"',
    ],
    ['a folder', ['import-v1', 'src', '--app', 'shop'], 1, 'there is no file "src"'],
  ])('%s', async (_what, words, exitCode, part) => {
    const { code, stdout, stderr } = await runWithoutDatabase(words);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain(part);
  });

  test('an unknown app', async () => {
    const path = await fileOf('one.jsonl', [exportedUser(1)]);
    expect(await run('import-v1', path, '--app', 'nothing')).toMatchObject({
      code: 1,
      stderr: 'foyer: there is no app with the id or slug "nothing"\n',
    });
  });
});
