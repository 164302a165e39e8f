// Chooses the tests to run for a mutated line: by imports nearly every test depends on nearly every file, so a run of the
// whole suite records the lines that each test file executes.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {} from 'vitest/config';
import { startVitest } from 'vitest/node';
import { importsOf, resolved } from '../../test/import-graph.js';
import { isMutated, linesFolder, outcomesOfWorker } from './mutated-files.js';
import { instrumented, type Outcomes, unnoticedIn } from './observed.js';

export type Stages = [near: string[], further: string[]];

type Executed = { test: string; executed: Record<string, number[]> };

const nearTests = 6;
const furtherTests = 24;

/** They start processes and browsers, which run a build, or take minutes. */
const leftOut = ['crash', 'push-crash', 'races', 'deployment', 'hostile-memory', 'pgbouncer'].map(
  (name) => `**/test/${name}.test.ts`,
);
const tested = ['contract', 'server/src', 'server/engines', 'server/test', 'sdk/', 'prisma', 'openapi'];

/**
 * What is executed on load is recorded with the first test file of each worker at most, though every later one may notice it; of a
 * file of constants nothing is recorded.
 */
export type Place = { file: string; line: number; isOnLoad: boolean };

/** Returns a function from a line, counted from 1, to its tests. The run takes about as long as the suite. */
export async function testChooser(root: string, folder: string): Promise<(place: Place) => Stages> {
  if (!existsSync(folder)) await record(root, folder);
  const all = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Executed,
  );
  const totals = new Map(all.map(({ test, executed }) => [test, Object.values(executed).flat().length]));
  const tests = all.map(({ test }) => test).filter((test) => existsSync(join(root, test)));
  const imported = new Map(tests.map((test) => [test, importedBy(root, test)]));
  return ({ file, line, isOnLoad }) => {
    const executedLines = all.flatMap(({ executed }) => executed[file] ?? []);
    // Of a statement over several lines, such as one of SQL, the first ones are recorded.
    const recorded = Math.max(...executedLines.filter((each) => each <= line));
    const ranked = all
      .filter(({ test, executed }) => executed[file] || (isOnLoad && isBeside(test, file)))
      .filter(({ test }) => imported.has(test))
      .map(({ test, executed }) => {
        const lines = executed[file] ?? [];
        // What else it executes says how little it is about this file.
        const share = lines.length / (totals.get(test) ?? 1);
        return {
          test,
          isExecuted: isOnLoad || lines.includes(recorded),
          share,
          isBeside: isBeside(test, file),
        };
      })
      .sort(
        (a, b) =>
          Number(b.isExecuted) - Number(a.isExecuted) ||
          Number(b.isBeside) - Number(a.isBeside) ||
          b.share - a.share,
      );
    const executing = ranked.filter(({ isExecuted }) => isExecuted);
    // Of the same name, perhaps written after the recording.
    const beside = file.replace(/\.tsx?$/, '.test.ts');
    const named = executing.map(({ test }) => test).filter((test) => basename(test) === basename(beside));
    const importing = ranked.map(({ test }) => test).filter((test) => imported.get(test)?.includes(file));
    const own = [...new Set([beside, ...named, ...importing])].filter((test) => existsSync(join(root, test)));
    const others = executing.map(({ test }) => test).filter((test) => !own.includes(test));
    const chosen = [...own, ...others].slice(0, nearTests + furtherTests);
    return [chosen.slice(0, nearTests), chosen.slice(nearTests)];
  };
}

function importedBy(root: string, test: string): string[] {
  return importsOf(readFileSync(join(root, test), 'utf8')).map(({ to }) => resolved(test, to));
}

function isBeside(test: string, file: string): boolean {
  return dirname(test) === dirname(file);
}

async function record(root: string, folder: string): Promise<void> {
  const begun = `${folder}.begun`;
  rmSync(begun, { recursive: true, force: true });
  mkdirSync(begun, { recursive: true });
  process.env[linesFolder] = begun;
  console.log('running the suite once, to record which lines each test file executes');
  const setupFiles = [fileURLToPath(new URL('./executed-lines.ts', import.meta.url))];
  const vitest = await startVitest(
    'test',
    tested,
    { root, watch: false, reporters: ['dot'] },
    {
      plugins: [
        { name: 'observed', enforce: 'pre', transform: (code, id) => observedSource(root, code, id) },
      ],
      // Lists are added to those of the configuration.
      test: { setupFiles, exclude: leftOut, experimental: { fsModuleCache: false } },
    },
  );
  await vitest.close();
  // A test that fails anyway is none to be noticed by.
  process.exitCode = 0;
  listUnnoticed(root, begun, join(dirname(folder), 'unnoticed.txt'));
  renameSync(begun, folder);
}

function observedSource(root: string, code: string, id: string) {
  const path = id.split('?')[0] as string;
  const file = relative(root, path);
  // The lines remain, and nobody asks for columns.
  return isMutated(file) ? { code: instrumented(code, path, file), map: null } : undefined;
}

function listUnnoticed(root: string, folder: string, list: string): void {
  const outcomes: Outcomes = new Map();
  for (const name of readdirSync(folder).filter((each) => each.startsWith(outcomesOfWorker))) {
    const path = join(folder, name);
    for (const [key, bits] of JSON.parse(readFileSync(path, 'utf8')) as [string, number][])
      outcomes.set(key, (outcomes.get(key) ?? 0) | bits);
    rmSync(path);
  }
  const files = [...new Set([...outcomes.keys()].map((key) => key.split('|')[0] as string))].sort();
  const lines = files.flatMap((file) => {
    const path = join(root, file);
    return unnoticedIn(readFileSync(path, 'utf8'), path, file, outcomes);
  });
  writeFileSync(list, lines.map((line) => `${line}\n`).join(''));
  console.log(`${list} lists ${lines.length} comparisons and conditions whose mutation no test can notice`);
}
