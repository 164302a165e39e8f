// The check of strict runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ExpectedSkip,
  expectedSkips,
  needsConnections,
  type Run,
  skipProblems,
} from './expected-skips.js';
import { root } from './import-graph.js';

const list: ExpectedSkip[] = [
  { file: 'a.test.ts', name: 'on PostgreSQL', in: 'embedded', reason: 'locks' },
  { file: 'b.test.ts', name: 'packs', in: 'quick', reason: 'takes long' },
  { file: 'c.test.ts', name: 'mounts', in: 'machine', reason: 'as root' },
];
const skipped = (file: string, name?: string, note?: string, source = '') => [
  { file, source, skipped: name === undefined ? [] : [{ name, note }] },
];
const ofServer = "describe.skipIf(!process.env.DATABASE_URL)('with locks', () => {";
const embedded = { embedded: true, quick: true };
const onPostgresql = { embedded: false, quick: false };

test.each<[string, Run, string[]]>([
  [
    'a test that no entry names',
    { ...embedded, files: skipped('a.test.ts', 'in Chromium') },
    [
      'a.test.ts > in Chromium was skipped',
      'a.test.ts > on PostgreSQL was expected to be skipped (embedded), and was not',
    ],
  ],
  [
    'the name of an entry in another file',
    { ...embedded, files: skipped('d.test.ts', 'on PostgreSQL > is') },
    ['d.test.ts > on PostgreSQL > is was skipped'],
  ],
  [
    'an entry of the embedded database, on PostgreSQL',
    { ...onPostgresql, files: skipped('a.test.ts', 'on PostgreSQL > is') },
    ['a.test.ts > on PostgreSQL > is was skipped'],
  ],
  [
    'an entry of quick runs, in a thorough one',
    { ...onPostgresql, files: skipped('b.test.ts', 'packs') },
    ['b.test.ts > packs was skipped'],
  ],
  [
    'an entry whose test runs again',
    { ...embedded, files: skipped('b.test.ts') },
    ['b.test.ts > packs was expected to be skipped (quick), and was not'],
  ],
  [
    'a test whose file says that it needs PostgreSQL, on PostgreSQL',
    { ...onPostgresql, files: skipped('d.test.ts', 'with locks', undefined, ofServer) },
    ['d.test.ts > with locks was skipped'],
  ],
  [
    'a test that needs connections, on PostgreSQL',
    { ...onPostgresql, files: skipped('d.test.ts', 'waits', needsConnections) },
    ['d.test.ts > waits was skipped'],
  ],
])('refuses %s', (_, run, problems) => {
  expect(skipProblems(run, list)).toEqual(problems);
});

test.each<[string, Run]>([
  ['the tests of an entry', { ...embedded, files: skipped('a.test.ts', 'on PostgreSQL > is') }],
  ['an entry whose file is not in the run', { ...embedded, files: skipped('d.test.ts') }],
  ['what the machine does not permit', { ...onPostgresql, files: skipped('c.test.ts', 'mounts') }],
  ['what the machine permits', { ...onPostgresql, files: skipped('c.test.ts') }],
  [
    'a test whose file says that it needs PostgreSQL',
    { ...embedded, files: skipped('d.test.ts', 'with locks', undefined, ofServer) },
  ],
  ['a test that needs connections', { ...embedded, files: skipped('d.test.ts', 'waits', needsConnections) }],
])('accepts %s', (_, run) => {
  expect(skipProblems(run, list)).toEqual([]);
});

test('each entry names a file that exists, and a reason', () => {
  const wrong = expectedSkips.filter(({ file, reason }) => !existsSync(join(root, file)) || reason === '');
  expect(wrong).toEqual([]);
});
