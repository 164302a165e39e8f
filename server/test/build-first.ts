// Before the tests, and again when they are watched: what they start as a process is what users start. Compiling it for
// each process would cost several times what the process does.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default function buildFirst(project: TestProject): void {
  build();
  project.onTestsRerun(async () => build());
}

/** Takes a second where nothing has changed. */
function build(): void {
  execFileSync('npx', ['turbo', 'run', 'build', '--filter=@foyer/server...', '--output-logs=errors-only'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
}
