// Every example is run as its first lines say, against a service started for real on an embedded database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOpenIdProvider } from './openid-provider.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const fromSource = ['--conditions=source', '--import', 'tsx'];
const dataDir = mkdtempSync(join(tmpdir(), 'foyer-examples-'));

/** What each program says when it has done what it shows. */
const tellingLines: Record<string, RegExp> = {
  '01-quick-start.sh': /^hello Ada$/m,
  '01-quick-start.ts': /^hello Ada$/m,
  '02-magic-link.sh': /^hello Ada, verified: true$/m,
  '02-magic-link.ts': /^hello Ada whose email is verified\na link works once: /m,
  '03-password-reset.sh': /"auth\/invalid-credential".* \(the old password\)\nhello again Ada$/m,
  '03-password-reset.ts': /^state: signedOut revoked\nthe old password: .*^hello again Ada$/ms,
  '04-provider-sign-in.ts':
    /^welcome ada@.*^refused: .*^welcome back ada@.*^state: \{ status: 'signedOut', reason: 'deleted' \}$/ms,
};

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
let service: ChildProcess;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  service = spawn(process.execPath, [...fromSource, 'server/src/cli.ts', 'start'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      PROVIDER_A_ISSUER: provider.issuer,
      PROVIDER_A_JWKS_URL: `${provider.issuer}/jwks`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { baseUrl, appKey, secretKey } = await firstWords(service);
  env = {
    PATH: process.env.PATH,
    FOYER_BASE_URL: baseUrl,
    FOYER_APP_KEY: appKey,
    PROVIDER_URL: provider.issuer,
    PROVIDER_CLIENT_ID: 'web.client',
  };
  const settings = await fetch(`${baseUrl}/admin/settings`, {
    method: 'PATCH',
    headers: {
      'X-App-Key': appKey,
      Authorization: `Bearer ${secretKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      deep_link: 'https://app.example.com/sign-in',
      provider_a: { client_ids: { web: 'web.client' } },
    }),
  });
  expect(settings.status, await settings.text()).toBe(200);
});

afterAll(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  provider.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Where the service is and the keys of its app, from what the first start says. */
async function firstWords({ stdout }: ChildProcess) {
  let said = '';
  for await (const line of createInterface({ input: stdout! })) {
    said += `${line}\n`;
    const [baseUrl, appKey, secretKey] = [
      /its API at (\S+),/,
      /app key\s+(pk_\S+)/,
      /secret key\s+(sk_\S+)/,
    ].map((pattern) => pattern.exec(said)?.[1]);
    if (baseUrl && appKey && secretKey) return { baseUrl, appKey, secretKey };
  }
  throw new Error(`the service did not start: ${said}`);
}

test('every example has its telling line', () => {
  const programs = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.(ts|sh)$/.test(name));
  expect(programs.sort()).toEqual(Object.keys(tellingLines));
});

test.each(Object.entries(tellingLines))('the example %s runs to its end', async (program, tellingLine) => {
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
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
  expect(output).toMatch(tellingLine);
});
