// Which test files .ci/run runs, and in which order.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './import-graph.js';
import { longest } from './longest-first.js';

test('each test with a long form is in the thorough run on PostgreSQL', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const script = read('.ci/run');
  const once = /^once=\((.*?)\)$/ms.exec(script)?.[1] ?? '';
  const paths = /FOYER_TEST_THOROUGH=1 .*\n\s*suite npm test -- (.*)/.exec(script)?.[1];
  const chosen = paths?.replace(/"\$\{once\[@\]\}"/, once).split(/\s+/) ?? [];
  const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' });
  const long = files
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(root, path)) && read(path).includes("/thorough.js'"));
  expect(long.length).toBeGreaterThan(30);
  expect(long.filter((path) => !chosen.some((start) => path.startsWith(start)))).toEqual([]);
});

test('each file that begins first exists', () => {
  expect(longest.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
