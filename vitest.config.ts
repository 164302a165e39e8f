// One run for every workspace.
import { defineConfig } from 'vitest/config';
import { filesToLeaveOut } from './server/test/database-files.js';
import { LongestFirst } from './server/test/longest-first.js';
import { runReport } from './server/test/run-report.js';

const workspaces = [
  'contract',
  'prisma',
  'server',
  'openapi',
  'sdk',
  'elements',
  'dashboard',
  'site',
  'examples',
];

export default defineConfig({
  // Tests read the TypeScript sources of every workspace; only what they start as a process is built before them.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: [`{${workspaces}}/**/*.test.ts`],
    exclude: ['**/node_modules/**', '**/dist/**', ...filesToLeaveOut(workspaces)],
    setupFiles: ['server/test/answers-setup.ts'],
    globalSetup: ['server/test/build-first.ts', 'prisma/test/drop-databases.ts'],
    reporters: ['default', runReport(import.meta.dirname)],
    // A busy machine may take twenty times as long as an idle one; what hangs still fails.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A busy machine may take seconds where an idle one takes none; what never comes still fails.
    expect: { poll: { timeout: 60_000 } },
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
