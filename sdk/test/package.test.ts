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

let folder = '';
let installed = '';
let service: ScriptedService;

beforeAll(async () => {
  service = await startScriptedService();
  folder = await mkdtemp(join(tmpdir(), 'foyer-sdk-'));
  const packed = join(folder, 'packed');
  installed = join(folder, 'app/node_modules/@foyer/sdk');
  await mkdir(packed);
  for (const name of ['package.json', 'README.md', 'LICENSE']) await cp(join(room, name), join(packed, name));
  await run('node', [join(room, 'build.mjs'), join(packed, 'dist')]);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packed });
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, 'foyer-sdk-0.1.0.tgz'), '-C', installed, '--strip-components=1']);
  await mkdir(join(folder, 'app/node_modules/@types'));
  await symlink(
    dirname(require.resolve('@types/node/package.json')),
    join(folder, 'app/node_modules/@types/node'),
  );
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

async function typecheck(name: string, file: string, source: string, options: object): Promise<string> {
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
    files: [file],
  };
  await writeFile(join(app, file), source);
  await writeFile(join(app, `${name}.json`), JSON.stringify(tsconfig));
  return run('node', [compiler, '-p', `${name}.json`], { cwd: app }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
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
    ['ESM with Node types', 'node.mts', esm, { types: ['node'] }],
    ['CommonJS with Node types', 'node.cts', cjs, { types: ['node'] }],
    [
      'ESM with DOM types',
      'dom.mts',
      esm + argv.replace(/declare const console.*/, ''),
      { lib: ['ES2022', 'DOM'] },
    ],
    [
      'CommonJS with DOM types',
      'dom.cts',
      cjs + argv.replace(/declare const console.*/, ''),
      { lib: ['ES2022', 'DOM'] },
    ],
    ['a bundler', 'bundled.ts', esm, { types: ['node'], module: 'ESNext', moduleResolution: 'Bundler' }],
  ])('compiles strictly: %s', async (_, file, source, options) => {
    expect(await typecheck(file, file, source, options)).toBe('');
  });

  test('a type error does not compile', async () => {
    const source = esm.replace("'auth/invalid-credential'", "'auth/invalid-credentials'");
    expect(await typecheck('mistake', 'mistake.mts', source, { types: ['node'] })).toContain('error TS');
  });

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

  test('every snippet of the README compiles', async () => {
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, snippet]) => snippet);
    expect(snippets.length).toBeGreaterThan(4);
    expect(await typecheck('readme', 'readme.mts', snippets.join('\n'), { types: ['node'] })).toBe('');
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
    [
      'ESM',
      'receive.mts',
      "import { verifyWebhook, WebhookError, type WebhookEvent } from '@foyer/sdk/webhooks';",
    ],
    [
      'CommonJS',
      'receive.cts',
      "import webhooks = require('@foyer/sdk/webhooks');\nimport type { WebhookEvent } from '@foyer/sdk/webhooks';\nconst { verifyWebhook, WebhookError } = webhooks;",
    ],
  ])('compiles strictly as %s', async (_, file, header) => {
    expect(await typecheck(file, file, `${header}\n${receive}`, { types: ['node'] })).toBe('');
  });

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

describe('a backend with a secret key', () => {
  test.each([
    ['ESM', 'admin.mts', "import { type AdminUser, createAdmin, isFoyerError } from '@foyer/sdk/admin';"],
    [
      'CommonJS',
      'admin.cts',
      "import sdk = require('@foyer/sdk/admin');\nimport type { AdminUser } from '@foyer/sdk/admin';\nconst { createAdmin, isFoyerError } = sdk;",
    ],
  ])('compiles strictly as %s', async (_, file, header) => {
    expect(await typecheck(file, file, `${header}\n${judge}`, { types: ['node'] })).toBe('');
  });

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

describe('the package', () => {
  test('contains the required files only', async () => {
    expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const files = await filesIn(join(installed, 'dist'));
    const entries = ['admin/index', 'index', 'webhooks'].flatMap((entry) =>
      ['.cjs', '.cjs.map', '.js', '.js.map'].map((extension) => `${entry}${extension}`),
    );
    expect(files.filter((file) => !/\.d\.c?ts$/.test(file)).sort()).toEqual(entries);
  });

  test('requires no package except jose for token verification, in code and declarations', async () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      await readFile(join(installed, 'package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    expect(Object.keys(peerDependencies)).toEqual(['jose']);
    expect(peerDependenciesMeta).toEqual({ jose: { optional: true } });
    for (const file of await filesIn(join(installed, 'dist'))) {
      if (file.endsWith('.map')) continue;
      const text = await readFile(join(installed, 'dist', file), 'utf8');
      expect(text, file).not.toMatch(/(?<!\/)\b(from|import|require\()\s*['"](?!\.\.?\/)|reference types/);
      expect(
        [...text.matchAll(/import\(['"].*\)/g)].map(([found]) => found),
        file,
      ).toEqual(/^admin\/index\.c?js$/.test(file) ? ['import("jose")'] : []);
    }
  });

  test('uses nothing that React Native lacks', async () => {
    const text = await readFile(join(installed, 'dist/index.js'), 'utf8');
    expect(text).not.toMatch(/subtle|searchParams|new URL\b|AbortSignal\.|structuredClone|process\.|Buffer/);
    // Feature-detected: see nonce.test.ts.
    expect(text.match(/crypto\b.*/g)).toEqual(['crypto;']);
  });

  test('stays within its budget of 6 KiB', async () => {
    const { stdout } = await run('node', [join(room, 'size.mjs')]);
    expect(Number(/core: (\d+) bytes/.exec(stdout)?.[1])).toBeLessThanOrEqual(6 * 1024);
  });

  test('has the types of the contract: models, codes, and what each call resolves to', async () => {
    const { stdout } = await run('node', [
      compiler,
      '--noEmit',
      '-p',
      join(room, 'test/tsconfig.contract.json'),
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});
