// The pages of docs/: every snippet compiles, and those of the pages of tests, sign-in methods and v1 run.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, memoryStorage } from '../src/index.js';
import { fakeService } from '../src/testing/index.js';
import { compile } from './typecheck.js';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));

/** Pages whose snippets are modules of their own. */
const modules = [
  'errors',
  'google-and-apple',
  'moving-from-v1',
  'server',
  'sign-in-methods',
  'storage',
  'testing',
];
/** Pages whose snippets continue each other. */
const continued = ['admin', 'features'];
/** Pages whose snippets name their files; package.test.ts compiles them with the packed SDK. */
const named = ['getting-started', 'offline-and-tabs', 'react'];
/** Pages for packages that the workspace does not have. */
const elsewhere = { expo: 'sdk/test/react-native', nextjs: 'examples/nextjs' };

const strict = { target: 'ES2022', strict: true, exactOptionalPropertyTypes: true };
let folder = '';
let built: Promise<string[]>;

// In the workspace, where `@foyer/sdk` is the build and Node finds its types.
beforeAll(async () => {
  folder = await mkdtemp(join(workspace, 'docs-snippets-'));
  built = compileModules();
  built.catch(() => {}); // Each test awaits it.
});

afterAll(async () => {
  // Else a compilation that no test has awaited writes its files after the removal.
  await built.catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

async function snippetsOf(page: string): Promise<string[]> {
  const text = await readFile(join(workspace, 'docs', `${page}.md`), 'utf8');
  return [...text.matchAll(/```tsx?\n([\s\S]*?)```/g)].map(([, snippet]) => snippet!);
}

async function compileModules(): Promise<string[]> {
  const files: string[] = [];
  for (const page of [...modules, ...continued]) {
    const snippets = await snippetsOf(page);
    const sources = continued.includes(page) ? [snippets.join('\n')] : snippets;
    for (const [index, source] of sources.entries()) {
      files.push(`${page}-${index}.mts`);
      await writeFile(join(folder, files.at(-1)!), source);
    }
  }
  const options = { ...strict, module: 'NodeNext', types: ['node'] };
  expect(await compile(folder, 'tsconfig.json', options, files)).toBe('');
  return files;
}

/** What the snippets of a page export. */
async function exportsOf(page: string) {
  const files = (await built).filter((file) => file.startsWith(`${page}-`));
  const loaded = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file.replace('.mts', '.mjs'))).href)),
  );
  return Object.assign({}, ...loaded);
}

const ada = { email: 'ada@example.com', password: 'correct horse' };

function setUp() {
  const service = fakeService();
  return { service, client: createClient({ ...service.options, storage: memoryStorage() }) };
}

test('every page of docs/ has its snippets compiled', async () => {
  const compiledPages = [...modules, ...continued, ...named, ...Object.keys(elsewhere)];
  for (const page of await readdir(join(workspace, 'docs'))) {
    const name = page.replace('.md', '');
    if (!compiledPages.includes(name)) expect(await snippetsOf(name), page).toEqual([]);
  }
});

test('every snippet of the pages that name their files has a name', async () => {
  for (const page of named) {
    const snippets = await snippetsOf(page);
    expect(snippets.length, page).toBeGreaterThan(1);
    for (const snippet of snippets) expect(snippet, page).toMatch(/^\/\/ [\w-]+\.tsx?\n/);
  }
});

test('every snippet compiles, and the tests of testing.md pass', async () => {
  expect((await built).length).toBeGreaterThan(20);
  const { stdout } = await run('node', ['--test', join(folder, 'testing-0.mjs')]);
  expect(stdout).toMatch(/pass 4\n/);
});

test('the pages say what browsers delete, and how an app asks them not to', async () => {
  expect(await readFile(join(workspace, 'docs/storage.md'), 'utf8')).toMatch(/Safari deletes .* seven days/s);
  expect((await snippetsOf('offline-and-tabs')).join()).toContain('await navigator.storage.persist()');
});

test('the snippets of errors.md say what happened', async () => {
  const { signIn } = await exportsOf('errors');
  const { service, client } = setUp();
  service.addUser(ada);
  expect(await signIn(client, ada.email, 'wrong')).toBe('The email or the password is wrong.');
  service.fail('POST /auth/sign-in', { code: 'request/rate-limited', retryAfterSeconds: 5 });
  expect(await signIn(client, ada.email, ada.password)).toMatch(/again in 5 seconds/);
  service.fail('POST /auth/sign-in', 'offline');
  expect(await signIn(client, ada.email, ada.password)).toBe('You are offline.');
  service.fail('POST /auth/sign-in', { code: 'request/internal-error' });
  await expect(signIn(client, ada.email, ada.password)).rejects.toMatchObject({ status: 500 });
  expect(await signIn(client, ada.email, ada.password)).toBe('Welcome.');
});

test('the snippets of sign-in-methods.md sign in by password, code and link', async () => {
  const page = await exportsOf('sign-in-methods');
  const { service, client } = setUp();
  const code = async () => service.code(ada.email);
  for (const _ of ['sign-up', 'sign-in']) {
    expect((await page.signUpOrIn(client, ada.email, ada.password)).user.email).toBe(ada.email);
  }
  expect(await page.verifyEmail(client, code)).toBe(true);
  await page.resetPassword(client, ada.email, 'another password', code);
  const next = 'countess@example.com';
  const changed = await page.changeEmail(client, next, async () => service.code(next));
  expect(changed).toMatchObject({ email: next, email_verified: true });
  expect(await page.changeEmail(client, ada.email, code)).toMatchObject({ email: ada.email });
  await page.changePassword(client, 'another password', ada.password);
  await page.signOut(client);
  await page.signUpOrIn(client, ada.email, ada.password);
  await page.signOut(client);
  await page.sendCode(client, 'new@example.com');
  const { user } = await page.enterCode(client, 'new@example.com', service.code('new@example.com'));
  expect(user.first_name).toBe('Ada');
  await page.sendCode(client, ada.email);
  expect(await page.openLink(client, 'https://app.example.com/?tab=1')).toBe(false);
  const query = `mode=sign_in&email=${encodeURIComponent(ada.email)}&code=${await code()}`;
  expect(await page.openLink(client, `https://app.example.com/?${query}`)).toBe(true);
  expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
});

test('the snippets of sign-in-methods.md link Google, end sessions and delete the account', async () => {
  const page = await exportsOf('sign-in-methods');
  const { service, client } = setUp();
  const google = (email: string) => async (nonce: string) => service.idToken('provider-a', { email, nonce });
  expect(await page.withGoogle(client, google(ada.email))).toBe(true);
  expect(await page.withGoogle(client, google(ada.email))).toBe(false);
  await page.unlinkGoogle(client);
  expect(await page.linkedProviders(client)).toEqual([]);
  await page.linkGoogle(client, google('other@example.com'));
  expect(await page.linkedProviders(client)).toEqual([
    { provider: 'provider-a', email: 'other@example.com' },
  ]);
  await client.me.changePassword({ password: ada.password });
  const elsewhere = createClient({ ...service.options, storage: memoryStorage() });
  await elsewhere.auth.signIn(ada);
  expect(await page.endOtherSessions(client)).toBe(1);
  service.advance(360_000);
  expect(await page.deleteAccount(client, async () => null)).toBe(false);
  expect(await page.deleteAccount(client, async () => ada.password)).toBe(true);
  expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'deleted' });
});

test('the snippets of moving-from-v1.md sign in, and say what the user sees', async () => {
  const { start, screenFor } = await exportsOf('moving-from-v1');
  const outcomes: unknown[] = [];
  for (const prepare of ['valid', 'signed out', 'offline'] as const) {
    const { service } = setUp();
    service.addUser(ada);
    if (prepare !== 'signed out') service.addV1Token('v1-token', ada.email);
    service.offline = prepare === 'offline';
    let token: string | null = 'v1-token';
    const v1Storage = {
      getItem: () => token,
      removeItem() {
        token = null;
      },
    };
    const results: string[] = [];
    const options = { ...service.options, storage: memoryStorage() };
    const client = start(options, v1Storage, (result: string) => results.push(result));
    expect(screenFor(client.auth.state)).toBe('One moment');
    outcomes.push([screenFor(await client.auth.ready()), ...results, token]);
    client.dispose();
  }
  expect(outcomes).toEqual([
    [`Hello ${ada.email}`, 'migrated', null],
    ['Please sign in again', 'rejected', null],
    ['Sign in', 'deferred', 'v1-token'],
  ]);
});

test.for(Object.entries(elsewhere))(
  'every snippet of %s.md compiles with the packages that it uses, where they are installed in %s',
  async ([page, place], { skip }) => {
    const packages = join(workspace, '..', place, 'node_modules');
    if (!existsSync(packages)) skip();
    const project = join(folder, page);
    await mkdir(project);
    await symlink(packages, join(project, 'node_modules'));
    const text = await readFile(join(workspace, 'docs', `${page}.md`), 'utf8');
    const files: string[] = [];
    // The line above a snippet names its file, if others import it.
    for (const [, name, extension, snippet] of text.matchAll(
      /(?:`([^`]+)`: [^\n]*\n(?:[^\n]+\n)*\n)?```(tsx?)\n([\s\S]*?)```/g,
    )) {
      const file = name && /\.tsx?$/.test(name) ? name : `snippet-${files.length}.${extension}`;
      await mkdir(dirname(join(project, file)), { recursive: true });
      await writeFile(join(project, file), snippet!);
      files.push(file);
    }
    expect(files.length).toBeGreaterThan(1);
    const options = {
      ...strict,
      module: 'ESNext',
      moduleResolution: 'Bundler',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: [],
      skipLibCheck: true,
      noEmit: true,
    };
    expect(await compile(project, 'tsconfig.json', options, files)).toBe('');
  },
);
