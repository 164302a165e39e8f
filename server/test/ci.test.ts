// The test files that .ci/run runs, their order, and what it may leave out.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectedSkips, onServerOnly } from './expected-skips.js';
import { root } from './import-graph.js';
import { longest } from './longest-first.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

function testFiles(): string[] {
  const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' });
  return files
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(root, path)));
}

/** The starts of the paths of the run on PostgreSQL. */
function chosenOnPostgresql(): string[] {
  const script = read('.ci/run');
  const once = /^once=\((.*?)\)$/ms.exec(script)?.[1] ?? '';
  const paths = /FOYER_TEST_THOROUGH=1 .*\n\s*suite npm test -- (.*)/.exec(script)?.[1];
  return paths?.replace(/"\$\{once\[@\]\}"/, once).split(/\s+/) ?? [];
}

test('each test with a long form is in the thorough run on PostgreSQL', () => {
  const chosen = chosenOnPostgresql();
  const long = testFiles().filter((path) => read(path).includes("/thorough.js'"));
  expect(long.length).toBeGreaterThan(30);
  expect(long.filter((path) => !chosen.some((start) => path.startsWith(start)))).toEqual([]);
});

test('each file that may skip tests on the embedded database or in a quick run is in the thorough run on PostgreSQL', () => {
  const chosen = chosenOnPostgresql();
  const listed = expectedSkips.filter((entry) => entry.in !== 'machine').map(({ file }) => file);
  const needServer = testFiles().filter(
    (path) => /testOnServer/.test(read(path)) || onServerOnly.test(read(path)),
  );
  const files = [...listed, ...needServer.filter((path) => !path.startsWith('server/test/expected-skips'))];
  expect(files.filter((file) => !chosen.some((start) => file.startsWith(start)))).toEqual([]);
});

describe('an installation that failed', () => {
  test.each<[string, string, boolean]>([
    ['because the registry cannot be found', 'npm error code ENOTFOUND\nnpm error syscall getaddrinfo', true],
    ['because the registry refuses a package', 'npm error code E403', true],
    ['because the registry is down', 'npm error code E503', true],
    ['because npm gave up', 'npm error Exit handler never called!', true],
    ['because the lockfile does not match', 'npm error code EUSAGE', false],
    ['because a checksum differs', 'npm error code EINTEGRITY', false],
    [
      'because a script failed',
      'npm error code 1\nnpm error command sh -c node install.js # ENOTFOUND',
      false,
    ],
    ['because packages conflict', 'npm error code ERESOLVE', false],
    ['without a word', '', false],
  ])('%s counts as left out: %s', async (_, log, isLeftOut) => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-ci-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'log'), log);
    const script = `. .ci/missing.sh; registry_failed ${folder}/log`;
    expect(spawnSync('bash', ['-c', script], { cwd: root }).status === 0).toBe(isLeftOut);
  });
});

test('each file that begins first exists', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
