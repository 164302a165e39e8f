// The published package: packed, installed alone into an empty folder, compiled and run.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedService, startScriptedService } from './scripted-service.js';

const run = promisify(execFile);
const room = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/** The folders that lead resolvers without `exports` to an entry. */
const stubs = ['admin', 'expo', 'react', 'server', 'storage', 'testing', 'webhooks'];
let folder = '';
let installed = '';
let service: ScriptedService;

beforeAll(async () => {
  service = await startScriptedService();
  folder = await mkdtemp(join(tmpdir(), 'foyer-sdk-'));
  const packed = join(folder, 'packed');
  installed = join(folder, 'app/node_modules/@foyer/sdk');
  await mkdir(packed);
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'src', ...stubs]) {
    await cp(join(room, name), join(packed, name), { recursive: true });
  }
  await run('node', [join(room, 'build.mjs'), join(packed, 'dist')]);
  await run('node', [join(room, 'manifest.mjs'), 'publish'], { cwd: packed });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packed });
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, 'foyer-sdk-0.1.0.tgz'), '-C', installed, '--strip-components=1']);
  await mkdir(join(folder, 'app/node_modules/@types'));
  for (const types of ['node', 'react', 'react-dom']) {
    const source = dirname(require.resolve(`@types/${types}/package.json`));
    await symlink(source, join(folder, 'app/node_modules/@types', types));
  }
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every file of a folder, recursively, by relative path. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
}

/** The errors of each file, compiled strictly in one run. */
async function typecheck(
  name: string,
  sources: Record<string, string>,
  options: object,
): Promise<Record<string, string>> {
  const app = join(folder, 'app');
  const tsconfig = {
    compilerOptions: {
      module: 'NodeNext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      lib: ['ES2022'],
      types: [],
      ...options,
    },
    files: Object.keys(sources),
  };
  for (const [file, source] of Object.entries(sources)) await writeFile(join(app, file), source);
  await writeFile(join(app, `${name}.json`), JSON.stringify(tsconfig));
  const output = await run('node', [compiler, '--pretty', 'false', '-p', `${name}.json`], { cwd: app }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  const lines = output.split('\n').filter(Boolean);
  // An error of the package itself is an error of each file.
  const owner = (line: string) => Object.keys(sources).find((file) => line.startsWith(`${file}(`));
  return Object.fromEntries(
    Object.keys(sources).map((file) => [
      file,
      lines.filter((line) => [file, undefined].includes(owner(line))).join('\n'),
    ]),
  );
}

const scenario = `
  const client = createClient({ baseUrl: String(process.argv[2]), appKey: 'app_test', storage: undefined });
  client.auth.onStateChange((state) => {
    if (state.status === 'signedIn') state.user?.email.toUpperCase();
  });
  async function main(): Promise<void> {
    const email = process.argv[3] + '@example.com';
    const { user } = await client.auth.signUp({ email, password: 'correct horse', first_name: undefined });
    const page = await client.me.sessions({ limit: 2 });
    const again = await client.me.get();
    const wrong = await client.auth.signIn({ email, password: 'wrong' }).catch((error: unknown) => error);
    const code = isFoyerError(wrong, 'auth/invalid-credential') ? wrong.code : 'none';
    console.log(user.uid === again.uid, page.items.length, code, wrong instanceof FoyerError);
  }
  main();
`;
const esm = `import { createClient, FoyerError, isFoyerError } from '@foyer/sdk';\n${scenario}`;
const cjs = `import sdk = require('@foyer/sdk');\nconst { createClient, FoyerError, isFoyerError } = sdk;\n${scenario}`;
const argv =
  '\ndeclare const process: { argv: string[] };\ndeclare const console: { log(...all: unknown[]): void };';

describe('a project without the contract or zod', () => {
  test.each([
    ['ESM', 'run.mjs', "import { createClient, FoyerError, isFoyerError } from '@foyer/sdk';"],
    ['CommonJS', 'run.cjs', "const { createClient, FoyerError, isFoyerError } = require('@foyer/sdk');"],
  ])('runs as %s, and the process ends by itself', async (name, file, header) => {
    const source = `${header}\n${scenario.replace(/: (Promise<void>|unknown)/g, '')}`;
    await writeFile(join(folder, 'app', file), source);
    const { stdout } = await run('node', [join(folder, 'app', file), service.baseUrl, name], {
      timeout: 60_000,
    });
    expect(stdout.trim()).toBe('true 1 auth/invalid-credential true');
  });
});

const checkFiles = `
  const checks = storageChecks({ open: () => fileStorage(process.argv[2]), timeoutMs: 60_000 });
  checks.reduce((previous, { run }) => previous.then(run), Promise.resolve()).then(() => {
    console.log(checks.length > 10, webStorage === sdk.webStorage, typeof secureStorage);
  });
`;

describe('a command line with fileStorage', () => {
  test.each([
    [
      'ESM',
      'files.mjs',
      (names: string, entry: string) => `import ${names.replace('...', '* as ')} from '${entry}';`,
    ],
    [
      'CommonJS',
      'files.cjs',
      (names: string, entry: string) => `const ${names.replace('...', '')} = require('${entry}');`,
    ],
  ])('runs as %s, with the storages of the core itself', async (_, file, load) => {
    const imports = [
      load('...sdk', '@foyer/sdk'),
      load('{ fileStorage, webStorage }', '@foyer/sdk/storage'),
      load('{ storageChecks }', '@foyer/sdk/testing'),
      load('{ secureStorage }', '@foyer/sdk/expo'),
    ];
    await writeFile(join(folder, 'app', file), [...imports, checkFiles].join('\n'));
    const { stdout } = await run('node', [join(folder, 'app', file), join(folder, file, 'session')]);
    expect(stdout.trim()).toBe('true true function');
  });
});

const receive = `
  const secret = 'whsec_' + 'A'.repeat(43) + '=';
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
  verifyWebhook('{}', headers, secret).then(
    (event: WebhookEvent) => console.log(event.type === 'session.ended' ? event.data.session.reason : event.id),
    (error: unknown) => console.log(error instanceof WebhookError ? error.reason : error),
  );
`;

describe('a backend that receives webhooks', () => {
  test.each([
    ['ESM', 'receive.mjs', "import { verifyWebhook, WebhookError } from '@foyer/sdk/webhooks';"],
    ['CommonJS', 'receive.cjs', "const { verifyWebhook, WebhookError } = require('@foyer/sdk/webhooks');"],
  ])('runs as %s', async (_, file, header) => {
    const source = `${header}\n${receive.replace(/: (WebhookEvent|unknown)/g, '')}`;
    await writeFile(join(folder, 'app', file), source);
    const { stdout } = await run('node', [join(folder, 'app', file)], { timeout: 60_000 });
    expect(stdout.trim()).toBe('too-old');
  });

  test('requires nothing of Node: WebCrypto and the web’s encodings suffice', async () => {
    const text = await readFile(join(installed, 'dist/webhooks.js'), 'utf8');
    expect(text).not.toMatch(/\b(process|Buffer|require|globalThis|node:)/);
    const used = new Set(text.match(/\b(crypto\.[a-z]+|atob|TextEncoder|TextDecoder)\b/g));
    expect([...used].sort()).toEqual(['TextDecoder', 'TextEncoder', 'atob', 'crypto.subtle']);
  });
});

const judge = `
  const admin = createAdmin({ baseUrl: 'http://127.0.0.1:1/api/v2', appKey: 'pk_1', appId: 'a', secretKey: 'sk_1' });
  async function main(): Promise<void> {
    const code = (error: unknown) => (isFoyerError(error) ? error.code : String(error));
    const judged = await admin.verifyAccessToken('no token').then((claims) => claims.uid, code);
    const made = await admin.users.get('u', { maxRetries: 0 }).then((user: AdminUser) => user.points, code);
    console.log(judged, made);
  }
  main();
`;

const typedClaims = `
  import { claims, type Client, createClient, files } from '@foyer/sdk';
  import { FoyerProvider, useClaims, usePages } from '@foyer/sdk/react';
  interface AppClaims { role: 'editor' | 'reader' }
  const client = createClient<AppClaims>({ baseUrl: '', appKey: '' });
  const untyped: Client = client;
  export const store = files(client);
  export const inProgram: Promise<'editor' | 'reader' | undefined> = claims(client).then(({ role }) => role);
  export const unknown: Promise<unknown> = claims(untyped).then((held) => held.anything);
  export function Role() {
    const held = useClaims<typeof client>();
    const devices = usePages((page, options) => client.me.sessions(page, options));
    // @ts-expect-error: the app has no such role.
    const isAdmin = held?.role === 'admin';
    // @ts-expect-error: a user may have no role.
    const role: string = held!.role;
    return <FoyerProvider client={client}>{role}{isAdmin}{devices.items.map(({ id }) => id)}</FoyerProvider>;
  }
`;

describe('strictly compiled', () => {
  const receiveEsm = "import { verifyWebhook, WebhookError, type WebhookEvent } from '@foyer/sdk/webhooks';";
  const receiveCjs = [
    "import webhooks = require('@foyer/sdk/webhooks');",
    "import type { WebhookEvent } from '@foyer/sdk/webhooks';",
    'const { verifyWebhook, WebhookError } = webhooks;',
  ].join('\n');
  const judgeEsm = "import { type AdminUser, createAdmin, isFoyerError } from '@foyer/sdk/admin';";
  const judgeCjs = [
    "import sdk = require('@foyer/sdk/admin');",
    "import type { AdminUser } from '@foyer/sdk/admin';",
    'const { createAdmin, isFoyerError } = sdk;',
  ].join('\n');
  const withoutConsole = argv.replace(/declare const console.*/, '');
  /** Filled from docs/, where a snippet is a file that its first line names. */
  const snippetsOfDocs: Record<string, string> = {};
  const sources = {
    node: {
      'node.mts': esm,
      'node.cts': cjs,
      'receive.mts': `${receiveEsm}\n${receive}`,
      'receive.cts': `${receiveCjs}\n${receive}`,
      'admin.mts': `${judgeEsm}\n${judge}`,
      'admin.cts': `${judgeCjs}\n${judge}`,
      'unit-test.mts': `
        import { collection, createClient, memoryStorage } from '@foyer/sdk';
        import { fakeService } from '@foyer/sdk/testing';
        ${unitTest}`,
      'mistake.mts': esm.replace("'auth/invalid-credential'", "'auth/invalid-credentials'"),
    },
    dom: { 'dom.mts': esm + withoutConsole, 'dom.cts': cjs + withoutConsole },
    bundler: { 'bundled.ts': esm, 'claims.tsx': typedClaims },
  };
  let errors: Record<string, string>;
  beforeAll(async () => {
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, snippet]) => snippet);
    expect(snippets.length).toBeGreaterThan(4);
    for (const page of await readdir(join(room, 'docs'))) {
      const text = await readFile(join(room, 'docs', page), 'utf8');
      for (const [, name, snippet] of text.matchAll(/```tsx?\n\/\/ ([\w-]+\.tsx?)\n(.*?)```/gs)) {
        snippetsOfDocs[name!] = snippet!;
      }
    }
    const withReadme = { ...sources.node, 'readme.mts': snippets.join('\n') };
    errors = {
      ...(await typecheck('node', withReadme, { types: ['node'] })),
      ...(await typecheck('dom', sources.dom, { lib: ['ES2022', 'DOM'] })),
      ...(await typecheck(
        'bundler',
        { ...sources.bundler, ...snippetsOfDocs },
        {
          types: ['node'],
          module: 'ESNext',
          moduleResolution: 'Bundler',
          jsx: 'react-jsx',
          lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        },
      )),
    };
  });

  test.each([
    ['an app, as ESM with Node types', 'node.mts'],
    ['an app, as CommonJS with Node types', 'node.cts'],
    ['an app, as ESM with DOM types', 'dom.mts'],
    ['an app, as CommonJS with DOM types', 'dom.cts'],
    ['an app of a bundler', 'bundled.ts'],
    ['an app with typed claims', 'claims.tsx'],
    ['a receiver of webhooks, as ESM', 'receive.mts'],
    ['a receiver of webhooks, as CommonJS', 'receive.cts'],
    ['a backend with a secret key, as ESM', 'admin.mts'],
    ['a backend with a secret key, as CommonJS', 'admin.cts'],
    ['a unit test with the fake service', 'unit-test.mts'],
    ['every snippet of the README', 'readme.mts'],
  ])('%s, without the contract or zod, has no error', (_, file) => {
    expect(errors[file]).toBe('');
  });

  test('no snippet of docs/ has an error', () => {
    const names = Object.keys(snippetsOfDocs);
    expect(names.length).toBeGreaterThan(3);
    expect(names.map((file) => errors[file]).join('')).toBe('');
  });

  test('a type error is found', () => {
    expect(errors['mistake.mts']).toContain('error TS');
  });
});

describe('a backend with a secret key', () => {
  test.each([
    ['ESM', 'admin.mjs', "import { createAdmin, isFoyerError } from '@foyer/sdk/admin';"],
    ['CommonJS', 'admin.cjs', "const { createAdmin, isFoyerError } = require('@foyer/sdk/admin');"],
  ])('runs as %s; without jose it makes calls, and says what verifying needs', async (_, file, header) => {
    const source = `${header}\n${judge.replace(/: (Promise<void>|unknown|AdminUser)/g, '')}`;
    await writeFile(join(folder, 'app', file), source);
    const words = async () =>
      (await run('node', [join(folder, 'app', file)], { timeout: 60_000 })).stdout.trim();
    expect(await words()).toBe('client/invalid-argument client/network');
    const jose = join(folder, 'app/node_modules/jose');
    await cp(new URL('../..', import.meta.resolve('jose')), jose, { recursive: true });
    expect(await words()).toBe('auth/invalid-token client/network');
    await rm(jose, { recursive: true });
  });
});

const unitTest = `
  const service = fakeService({ collections: { notes: 'owner' } });
  const client = createClient({ ...service.options, storage: memoryStorage(), headers: { 'X-Client-Device': 'phone' } });
  async function main(): Promise<void> {
    await client.auth.signUp({ email: 'ada@example.com', password: 'correct horse' });
    await collection(client, 'notes').create({ title: 'a' });
    const { items } = await client.me.sessions();
    service.fail('GET /me', { code: 'request/unavailable' });
    const failure = await client.me.get({ maxRetries: 0 }).catch((error: { code: string }) => error.code);
    console.log(items[0]?.device.name, service.records('notes').length, failure);
  }
  main();
`;

describe('the unit tests of an app', () => {
  const ofSdk = '{ collection, createClient, memoryStorage }';
  test.each([
    [
      'ESM',
      'unit-test.mjs',
      `import ${ofSdk} from '@foyer/sdk'; import { fakeService } from '@foyer/sdk/testing';`,
    ],
    [
      'CommonJS',
      'unit-test.cjs',
      `const ${ofSdk} = require('@foyer/sdk'); const { fakeService } = require('@foyer/sdk/testing');`,
    ],
  ])('run as %s against the fake service', async (_, file, header) => {
    const source = `${header}\n${unitTest.replace(/: (Promise<void>|\{ code: string \})/g, '')}`;
    await writeFile(join(folder, 'app', file), source);
    const { stdout } = await run('node', [join(folder, 'app', file)], { timeout: 60_000 });
    expect(stdout.trim()).toBe('phone 1 request/unavailable');
  });
});

const render = `
  const user = { uid: 'u1', email: 'ada@example.com' };
  const access_token = 'head.' + btoa(JSON.stringify({ sid: 's1' })) + '.signature';
  const tokens = { access_token, token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt_1', user };
  const options = {
    baseUrl: 'http://127.0.0.1:1/api/v2',
    appKey: 'pk_1',
    fetch: async (url) => Response.json({ data: String(url).endsWith('/me') ? user : tokens }),
  };
  const origin = 'http://localhost';
  const sessions = createCookieSessions({ ...options, origin });
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const signIn = new Request(origin + '/api/auth/sign-in', { method: 'POST', headers, body: '{}' });
  sessions.handle(signIn).then(async (response) => {
    const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ');
    const renewed = await sessions.renew(new Headers({ cookie: cookie.replace(/[^ ]*access=[^;]*;/, '') }));
    const { uid, accessToken } = sessions.read(renewed.request);
    const { email } = await createServerClient({ ...options, accessToken }).me.get();
    console.log(uid, email, cookie.split('; ').length, renewed.response.getSetCookie().length);
  });
`;

describe('a backend that renders pages', () => {
  const imports = '{ createCookieSessions, createServerClient }';
  test.each([
    ['ESM', 'render.mjs', `import ${imports} from '@foyer/sdk/server';`],
    ['CommonJS', 'render.cjs', `const ${imports} = require('@foyer/sdk/server');`],
  ])('runs as %s, and the process ends by itself', async (_, file, header) => {
    await writeFile(join(folder, 'app', file), `${header}\n${render}`);
    const { stdout } = await run('node', [join(folder, 'app', file)], { timeout: 60_000 });
    expect(stdout.trim()).toBe('u1 ada@example.com 3 3');
  });
});

const observe = `
  import { createClient, inSessionStorage } from '@foyer/sdk';
  const kept = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  const keys = {};
  let failures = 0;
  const client = createClient({
    baseUrl: process.argv[2],
    appKey: 'app_test',
    keepAccessToken: inSessionStorage(),
    fetch: (...args) => (failures-- > 0 ? Promise.reject(new TypeError('lost')) : fetch(...args)),
    onEvent: (event) => (keys[event.type] = Object.keys(event)),
  });
  await client.auth.signUp({ email: 'observer@example.com', password: 'correct horse' });
  failures = 1;
  await client.auth.getAccessToken({ forceRefresh: true });
  client.dispose();
  keys.kept = Object.keys(JSON.parse([...kept.values()][0]));
  console.log(JSON.stringify(keys));
`;

describe('minification', () => {
  test('changes no name of an event, or of what is stored between releases', async () => {
    const file = join(folder, 'app/observe.mjs');
    await writeFile(file, observe);
    const { stdout } = await run('node', [file, service.baseUrl], { timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({
      request: ['type', 'method', 'path', 'status', 'durationMs', 'requestId'],
      retry: ['type', 'code', 'attempt', 'delayMs'],
      refresh: ['type', 'code', 'durationMs'],
      'memory-storage': ['type'],
      kept: ['id', 'serial', 'user', 'access_token', 'expires_in', 'at'],
    });
  });
});

describe('the package', () => {
  test('contains the required files only', async () => {
    const names = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'src', ...stubs];
    expect((await readdir(installed)).sort()).toEqual(names.sort());
    const files = await filesIn(join(installed, 'dist'));
    const built = stubs.map((entry) => (entry === 'webhooks' ? entry : `${entry}/index`));
    const entries = ['index', ...built].flatMap((entry) =>
      ['.cjs', '.cjs.map', '.js', '.js.map'].map((extension) => `${entry}${extension}`),
    );
    expect(files.filter((file) => !/\.d\.c?ts(\.map)?$/.test(file)).sort()).toEqual(entries.sort());
  });

  test('requires no package except jose for token verification and React for hooks, in code and declarations', async () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      await readFile(join(installed, 'package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    expect(Object.keys(peerDependencies)).toEqual(['jose', 'react']);
    expect(peerDependenciesMeta).toEqual({ jose: { optional: true }, react: { optional: true } });
    for (const file of await filesIn(join(installed, 'dist'))) {
      if (file.endsWith('.map')) continue;
      const content = await readFile(join(installed, 'dist', file), 'utf8');
      const text = file.startsWith('react/')
        ? content.replace(/(from |require\()['"]react['"]/g, '')
        : content;
      expect(text, file).not.toMatch(/(?<!\/)\b(from|import|require\()\s*['"](?!\.\.?\/)|reference types/);
      expect(
        [...text.matchAll(/import\(['"].*\)/g)].map(([found]) => found),
        file,
      ).toEqual(/^admin\/index\.c?js$/.test(file) ? ['import("jose")'] : []);
    }
  });

  test('names only files that it contains, and no condition of the workspace', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(JSON.stringify(manifest)).not.toMatch(/"source"|devDependencies|scripts/);
    const named = [...JSON.stringify(manifest).matchAll(/"(\.\/[\w./-]+)"(?!:)/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(12);
    const files = await filesIn(installed);
    expect(named.filter((file) => !files.includes(file.slice(2)))).toEqual([]);
    await run('node', ['--conditions=source', join(folder, 'app/run.mjs'), service.baseUrl, 'source']);
  });

  test('has a manifest whose original survives an interrupted pack', async () => {
    const cwd = await mkdtemp(join(folder, 'interrupted-'));
    await cp(join(room, 'package.json'), join(cwd, 'package.json'));
    const manifest = (task: string) => run('node', [join(room, 'manifest.mjs'), task], { cwd });
    await manifest('publish');
    await expect(manifest('publish')).rejects.toThrow('EEXIST');
    await manifest('restore');
    const [restored, original] = await Promise.all(
      [cwd, room].map((each) => readFile(join(each, 'package.json'), 'utf8')),
    );
    expect(restored).toBe(original);
  });

  test('leads from each declaration to its source', async () => {
    const map = JSON.parse(await readFile(join(installed, 'dist/admin/index.d.ts.map'), 'utf8'));
    expect(map.sources).toEqual([expect.stringMatching(/src\/admin\/index\.ts$/)]);
    expect(await filesIn(installed)).toContain('src/admin/index.ts');
  });

  test('uses nothing that React Native lacks', async () => {
    const text = await readFile(join(installed, 'dist/index.js'), 'utf8');
    expect(text).not.toMatch(/subtle|searchParams|new URL\b|AbortSignal\.|structuredClone|process\.|Buffer/);
    // Feature-detected: see nonce.test.ts.
    expect(text.match(/crypto\b.*/g)).toEqual(['crypto;']);
  });

  test('stays within its budget', async () => {
    const { stdout } = await run('node', [join(room, 'size.mjs'), installed]);
    expect(stdout).toMatch(/^core: \d+ bytes/);
  });
});
