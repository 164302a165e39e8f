// Chooses the tests to run for a mutated file: those beside it, those that were most often committed with it, then
// those of its module. A commit changes a guarantee and its test together, so the history knows better than the
// imports, by which nearly every test depends on nearly every file.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const longTests =
  /test\/(crash|push-crash|races|revocation-races|deployment|upload-process|hostile-memory|pgbouncer)\.test\.ts$/;

export type Stages = [near: string[], further: string[]];

export function testsFor(root: string, file: string): Stages {
  const tracked = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !longTests.test(path));
  const own = file.replace(/\.tsx?$/, '.test.ts');
  const beside = tracked.filter((path) => dirname(path) === dirname(file));
  const together = committedWith(root, file).filter((path) => tracked.includes(path));
  const module = moduleOf(file);
  const near = [...new Set([own, ...together.slice(0, 4), ...beside.slice(0, 4)])];
  const inModule = tracked.filter((path) => path.startsWith(module));
  const further = [...new Set([...beside, ...inModule, ...together.slice(0, 16)])];
  const isThere = (path: string) => existsSync(join(root, path)) && tracked.includes(path);
  return [near.filter(isThere), further.filter((path) => isThere(path) && !near.includes(path))];
}

/** Test files by how often they were in a commit with the file; a commit of many files says little. */
function committedWith(root: string, file: string): string[] {
  const log = execFileSync(
    'git',
    ['log', '--format=%x00', '--name-only', '--full-diff', '-n', '200', '--', file],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  const weights = new Map<string, number>();
  for (const commit of log.split('\0')) {
    const files = commit.split('\n').filter(Boolean);
    for (const path of files.filter((each) => each.endsWith('.test.ts'))) {
      weights.set(path, (weights.get(path) ?? 0) + 1 / files.length);
    }
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([path]) => path);
}

/** `server/src/sessions/`, or the tests of a package. */
function moduleOf(file: string): string {
  const [pack, folder, module] = file.split('/');
  if (pack !== 'server') return `${pack}/`;
  return file.split('/').length > 3 ? `server/${folder}/${module}/` : 'server/test/';
}
