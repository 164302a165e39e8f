// Builds before the tests, and again in watch mode: process tests start what users start. Compiling it for each process
// would cost several times what the process does.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default function buildFirst(project: TestProject): void {
  build();
  project.onTestsRerun(async () => build());
}

/** Takes a second if nothing has changed. */
function build(): void {
  if (process.env.FOYER_TEST_BUILT === '1') return;
  const packages = ['server', 'dashboard', 'site'].map((name) => `--filter=@foyer/${name}...`);
  execFileSync('npx', ['turbo', 'run', 'build', ...packages, '--output-logs=errors-only'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
}
