// Runs every example, against a real service on an embedded database: one with tsx, as the first lines of all describe, and
// the others compiled before, because a start of tsx takes several times the processor time of a program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { quickStart } from '../server/test/quick-start.js';
import { startOpenIdProvider } from './openid-provider.js';
import { root, startService } from './running-service.js';

/** The output of each successful program. */
const expectedOutputs: Record<string, RegExp> = {
  '01-quick-start.sh': /^hello Ada$/m,
  '01-quick-start.ts': /^hello Ada$/m,
  '02-magic-link.ts': /^hello Ada whose email is verified\na link works once: /m,
  '03-password-reset.ts': /^state: signedOut revoked\nthe old password: .*^hello again Ada$/ms,
  '04-provider-sign-in.ts':
    /^welcome ada@.*^refused: .*^welcome back ada@.*^state: \{ status: 'signedOut', reason: 'deleted' \}$/ms,
  '05-points-and-config.ts': /^150 points, silver$.*^\+200 Welcome$.*^banner: Points count double today$/ms,
  '06-notes.ts':
    /^signed out: auth\/invalid-token\nmerged: \{ name: 'market', floor: 2 \}\ntags: laptop phone weekly\nopen: Call Charles\nopen: Groceries\nweekly, not at home: Groceries\nseen by somebody else: null$/m,
  '07-moving-from-v1.ts':
    /^the v1 token was migrated$.*^hello Ada, member \d+, 0 points$.*with 401$.*reason: 'deleted'/ms,
  '08-upload.ts':
    /\[#{20}\] 3000054 of 3000054\nuploaded holiday\.bmp image\/bmp 3000054 bytes\nthe URL answers 200 image\/bmp\nand once the file is deleted 404\nrefused: /,
  '09-backend.ts':
    /^hello ada-.*: orders 0$.*^without a token: 401 auth\/invalid-token$.*^somebody else’s webhook: 400$.*^welcome ada-.* \(user\.created\)$/ms,
  '10-third-party.sh':
    /^made .*\nthe same answer again: true\nfound 1: .*\nclaims: \{"role":"editor"\}\nin the token: \{"role":"editor"\}\nrefused: admin\/invalid-secret-key$/ms,
  '11-express-pages.ts':
    /^hello ada-.*: 1 device$.*token: true$.*^the API: 200 \{"data".*^another site: 403$.*^signed out: 302 \/sign-in 0 cookies\nended elsewhere: 302 \/sign-in$/ms,
  '12-refresh.py': /^refreshed: True ada-.*@example\.com$/m,
  '12-refresh.sh': /^refreshed: true\nada-.*@example\.com$/m,
};

const programs = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.(ts|sh|py)$/.test(name));
const withTsx = '01-quick-start.ts';

/** The compiled programs, in a folder from which Node.js finds the packages. */
let compiled: string;

let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
let service: Awaited<ReturnType<typeof startService>>;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  mkdirSync(join(root, 'node_modules/.examples'), { recursive: true });
  compiled = mkdtempSync(join(root, 'node_modules/.examples/'));
  const sources = programs.filter((name) => name.endsWith('.ts') && name !== withTsx);
  await build({
    entryPoints: [...sources, 'v1-app/before.ts', 'v1-app/after.ts'].map((name) =>
      join(root, 'examples', name),
    ),
    outbase: join(root, 'examples'),
    outdir: compiled,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  provider = await startOpenIdProvider();
  service = await startService({
    OUTBOUND_LOOPBACK: 'on',
    PROVIDER_A_ISSUER: provider.issuer,
    PROVIDER_A_JWKS_URL: `${provider.issuer}/jwks`,
  });
  const { baseUrl, appKey, secretKey } = service;
  env = {
    PATH: process.env.PATH,
    FOYER_BASE_URL: baseUrl,
    FOYER_APP_ID: service.appId,
    FOYER_APP_KEY: appKey,
    FOYER_MAILBOX_URL: service.mailboxUrl,
    FOYER_SECRET_KEY: secretKey,
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
      provider_a: { client_ids: { web: ['web.client'] } },
    }),
  });
  expect(settings.status, await settings.text()).toBe(200);
});

afterAll(async () => {
  await service.stop();
  provider.stop();
  rmSync(compiled, { recursive: true });
});

test('every example has an expected output', () => {
  expect(programs.sort()).toEqual(Object.keys(expectedOutputs));
});

test.each(Object.entries(expectedOutputs))('the example %s succeeds', async (program, expectedOutput) => {
  expect(await outputOf(commandOf(program))).toMatch(expectedOutput);
});

test.each(['12-refresh.py', '12-refresh.sh'])(
  '%s keeps the session when a proxy answers a refresh with its own page, and the next answer is cut off',
  async (program) => {
    let refreshes = 0;
    const proxy = createServer(async (request, response) => {
      const isRefresh = request.url?.endsWith('/auth/token/refresh');
      if (isRefresh) refreshes += 1;
      if (isRefresh && refreshes === 1) return void response.writeHead(502).end('<html>Bad Gateway</html>');
      const headers = ['x-app-key', 'authorization', 'content-type'].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      const { method = 'GET' } = request;
      const body = method === 'GET' ? undefined : await text(request);
      const answer = await fetch(service.baseUrl + request.url, { method, headers, ...(body && { body }) });
      const content = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'Content-Length': content.length });
      if (!isRefresh || refreshes !== 2) return void response.end(content);
      response.write(content.subarray(0, content.length / 2), () => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const output = await outputOf(commandOf(program), { FOYER_BASE_URL: `http://127.0.0.1:${port}` });
    expect(output).toMatch(expectedOutputs[program] as RegExp);
    // Another thread would refresh in place of one that failed.
    expect(output).not.toContain('Traceback');
    expect(refreshes).toBe(3);
  },
);

test('the app on v1 keeps its user signed in when it moves to v2, once and without a new sign-in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-v1-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const release = (name: 'before' | 'after', more: NodeJS.ProcessEnv = {}) => {
    const own = { POINTS_DIR: folder, ...more };
    return (...args: string[]) => outputOf([...commandOf(`v1-app/${name}.ts`), ...args], own);
  };
  const [before, after] = [release('before'), release('after')];
  const credential = [`ada-${Date.now()}@example.com`, 'correct horse battery staple'];
  await before('register', ...credential);
  const shown = await before('show');
  expect(shown).toMatch(/^hello Ada: 0 points, \w+\n$/);
  const offline = release('after', { FOYER_BASE_URL: 'http://127.0.0.1:1/api/v2' });
  expect(await offline('show')).toBe('the v1 token was deferred\nplease sign in\n');
  expect(await after('show')).toBe(`the v1 token was migrated\n${shown}`);
  expect(readdirSync(folder)).toEqual(['session']);
  expect(await after('show')).toBe(shown);
  expect(await before('show')).toBe('please sign in\n');
  await after('sign-out');
  expect(await after('show')).toBe('please sign in\n');
  await after('sign-in', ...credential);
  expect(await after('show')).toBe(shown);
});

test.each(['before', 'after'])(
  'the command line %s.ts fails with a message after a wrong password and for an unknown command',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-v1-app-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const release = (...args: string[]) =>
      outcomeOf([...commandOf(`v1-app/${name}.ts`), ...args], { POINTS_DIR: folder });
    const email = `${name}-${Date.now()}@example.com`;
    const password = 'correct horse battery staple';
    expect((await release('register', email, password)).output).toContain(`signed in as ${email}`);
    const refused = await release('sign-in', email, 'another password');
    expect(refused).toEqual({ code: 1, output: expect.stringMatching(/^[^\n]*password[^\n]*\n$/i) });
    expect(await release('sing-in')).toEqual({ code: 2, output: expect.stringMatching(/^usage: .*sign-in/) });
  },
);

function commandOf(program: string): string[] {
  if (program.endsWith('.sh')) return ['bash', join('examples', program)];
  if (program.endsWith('.py')) return ['python3', join('examples', program)];
  const node = [process.execPath, ...quickStart];
  if (program === withTsx) return [...node, '--import', 'tsx', join('examples', program)];
  return [...node, join(compiled, program.replace(/\.ts$/, '.mjs'))];
}

/** The output of a program that must succeed. */
async function outputOf(command: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, output } = await outcomeOf(command, more);
  expect(code, output).toBe(0);
  return output;
}

async function outcomeOf([program = '', ...args]: string[], more: NodeJS.ProcessEnv) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code]: (number | null)[] = await once(child, 'close');
  return { code, output };
}
