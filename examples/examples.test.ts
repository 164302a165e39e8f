// Every example is run as its first lines say, against a service started for real on an embedded database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const fromSource = ['--conditions=source', '--import', 'tsx'];
const dataDir = mkdtempSync(join(tmpdir(), 'foyer-examples-'));
let service: ChildProcess;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = spawn(process.execPath, [...fromSource, 'server/src/cli.ts', 'start'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: service.stdout! })) {
    said.push(line);
    const appKey = /app key\s+(pk_\S+)/.exec(line)?.[1];
    const baseUrl = /its API at (\S+),/.exec(said[0] ?? '')?.[1];
    if (appKey && baseUrl) {
      env = { PATH: process.env.PATH, FOYER_BASE_URL: baseUrl, FOYER_APP_KEY: appKey };
      return;
    }
  }
  throw new Error(`the service did not start: ${said.join('\n')}`);
});

afterAll(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

const programs = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.(ts|sh)$/.test(name));

test.each(programs)('the example %s runs to its end against a real service', async (program) => {
  const path = join('examples', program);
  const [command, args] = program.endsWith('.sh')
    ? (['bash', [path]] as const)
    : ([process.execPath, [...fromSource, path]] as const);
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  expect(code, output).toBe(0);
  expect(output).toMatch(/hello Ada/);
});
