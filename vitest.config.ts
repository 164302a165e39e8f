// One run for every workspace. The closing line `N passed, N failed` is for machines that read the output.
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';
import { filesToLeaveOut } from './server/test/database-files.js';
import { LongestFirst } from './server/test/longest-first.js';

const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that could not be loaded, or whose hooks failed, has failed even where its tests were only skipped.
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  },
};

const workspaces = ['contract', 'prisma', 'server', 'openapi', 'sdk', 'dashboard', 'examples'];

export default defineConfig({
  // Tests read the TypeScript sources of every workspace; only what they start as a process is built before them.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: [`{${workspaces}}/**/*.test.ts`],
    exclude: ['**/node_modules/**', '**/dist/**', ...filesToLeaveOut(workspaces)],
    globalSetup: ['server/test/build-first.ts', 'prisma/test/drop-databases.ts'],
    reporters: ['default', closingLine],
    // A busy machine may take ten times as long as an idle one; what hangs still fails.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A busy machine may take seconds where an idle one takes none; what never comes still fails.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // Optimizing the code of the embedded database costs more processor time than its tests, which are short, get back.
    execArgv: ['--liftoff-only', '--wasm-lazy-compilation'],
    // Twice the two cores of CI: tests also wait, for timeouts, browsers and processes that they start.
    maxWorkers: 4,
    // The test files of a worker share its modules: loading the service costs more than most files do with it.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Transformed sources are kept under node_modules, by what they say.
    experimental: { fsModuleCache: true },
  },
});
