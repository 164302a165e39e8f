// Runs test files until the first failure.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The file and name of a test that failed; null if all passed. */
export type Failure = { file: string; test: string } | null;

type Report = {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

/** A mutation may well make a test wait for ever. */
const timeouts = ['--testTimeout=60000', '--hookTimeout=60000'];

export async function firstFailure(
  root: string,
  files: string[],
  { seconds, databaseUrl }: { seconds: number; databaseUrl?: string | undefined },
): Promise<Failure> {
  if (files.length === 0) return null;
  const folder = await mkdtemp(join(tmpdir(), 'foyer-mutation-'));
  const output = join(folder, 'report.json');
  const report = ['--reporter=json', `--outputFile=${output}`];
  const run = ['--bail=1', '--maxWorkers=1', '--passWithNoTests', ...timeouts, ...report];
  const args = ['vitest', 'run', ...run, ...files];
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn('npx', args, {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { ...env, FOYER_TEST_BUILT: '1', ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
  });
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), seconds * 1_000);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  try {
    if (code === 0) return null;
    if (code === null) return { file: '', test: `did not end within ${seconds} seconds` };
    const { testResults } = JSON.parse(await readFile(output, 'utf8')) as Report;
    const failed = testResults.find(({ status }) => status === 'failed');
    const test = failed?.assertionResults.find(({ status }) => status === 'failed')?.fullName;
    const file = failed ? relative(root, failed.name) : '';
    return { file, test: test ?? failed?.message?.split('\n')[0] ?? 'the run failed' };
  } catch {
    return { file: '', test: 'the run failed without a report' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
