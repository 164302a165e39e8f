// The end of a test run: what a strict run refuses, and the closing line `N passed, N failed, N skipped` for machines.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, TestResult, TestSpecification } from 'vitest/node';
import { skipProblems } from './expected-skips.js';

const { DATABASE_URL, FOYER_TEST_THOROUGH, FOYER_TEST_STRICT } = process.env;

export function runReport(root: string): Reporter {
  let planned: readonly TestSpecification[] = [];
  return {
    onTestRunStart(specifications) {
      planned = specifications;
    },
    onTestRunEnd(modules: readonly TestModule[]) {
      const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
      for (const module of modules) {
        // A file that could not be loaded, or whose hooks failed, has failed even where its tests were only skipped.
        count.failed += module.errors().length;
        for (const test of module.children.allTests()) count[test.result().state] += 1;
      }
      const problems = FOYER_TEST_STRICT === '1' ? strictProblems(root, modules, planned.length) : [];
      for (const problem of problems) console.log(`strict: ${problem}`);
      if (problems.length > 0) {
        console.log('strict: server/test/expected-skips.ts lists the tests that a run may skip');
        process.exitCode = 1;
      }
      count.failed += problems.length;
      console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    },
  };
}

function strictProblems(root: string, modules: readonly TestModule[], planned: number): string[] {
  const files = modules.map((module) => ({
    file: relative(root, module.moduleId),
    source: readFileSync(module.moduleId, 'utf8'),
    skipped: [...module.children.allTests('skipped')].map((test) => ({
      name: test.fullName,
      note: noteOf(test.result()),
    })),
  }));
  const lost = planned === modules.length ? [] : [`of ${planned} test files ${modules.length} were run`];
  return [...lost, ...skipProblems({ files, embedded: !DATABASE_URL, quick: FOYER_TEST_THOROUGH !== '1' })];
}

function noteOf(result: TestResult): string | undefined {
  return result.state === 'skipped' ? result.note : undefined;
}
