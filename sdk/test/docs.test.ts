// The pages of docs/: every snippet compiles, and those of the pages of tests, sign-in methods and v1 run.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, isFoyerError, memoryStorage } from '../src/index.js';
import { fakeService } from '../src/testing/index.js';
import { newTab } from './redirect-tab.js';
import { compile } from './typecheck.js';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));

/** Pages whose snippets are modules of their own. */
const modules = [
  'errors',
  'google-and-apple',
  'moving-from-auth0',
  'moving-from-better-auth',
  'moving-from-clerk',
  'moving-from-supabase',
  'moving-from-v1',
  'moving-users',
  'other-providers',
  'passkeys',
  'second-factor',
  'server',
  'sign-in-methods',
  'storage',
  'testing',
];
/** Pages whose snippets continue each other. */
const continued = ['admin', 'features'];
/** Pages whose snippets name their files; package.test.ts compiles them with the packed SDK. */
const named = ['getting-started', 'offline-and-tabs', 'react', 'skill'];
/** Pages for packages that the SDK does not have. */
const elsewhere = {
  'ready-screens': '.',
  expo: 'sdk/test/react-native',
  nextjs: 'examples/nextjs',
  frameworks: 'sdk/test/runtimes',
  'desktop-and-mobile': 'sdk/test/runtimes',
  runtimes: 'sdk/test/runtimes',
};

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
  expect(await page.openLink(client, 'https://app.example.com/?tab=1')).toBe('no-link');
  const query = `mode=sign_in&email=${encodeURIComponent(ada.email)}&code=${await code()}`;
  expect(await page.openLink(client, `https://app.example.com/?${query}`)).toBe('signed-in');
  expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
});

test('the snippets of sign-in-methods.md sign in by redirect', async () => {
  const page = await exportsOf('sign-in-methods');
  const service = fakeService({ providers: { contoso: { name: 'Contoso' } } });
  const client = createClient({ ...service.options, storage: memoryStorage() });
  const tab = newTab();
  onTestFinished(() => void vi.unstubAllGlobals());
  const home = tab.href;
  expect(await page.finishRedirect(client)).toBeNull();
  await page.leaveForContoso(client);
  expect(tab.href).not.toBe(home);
  tab.assign(service.returnFromProvider(tab.href, ada));
  expect(await page.finishRedirect(client)).toBe(`Welcome, ${ada.email}.`);
  await page.leaveForContoso(client);
  tab.assign(service.cancelAtProvider(tab.href));
  expect(await page.finishRedirect(client)).toBeNull();
  await page.leaveForContoso(client);
  tab.assign(service.returnFromProvider(tab.href, ada));
  service.advance(61_000);
  expect(await page.finishRedirect(client)).toBe('That took too long. Sign in again.');
  const inExpo = async (url: string) => ({ type: 'success', url: service.returnFromProvider(url, ada) });
  expect((await page.withContosoInExpo(client, inExpo)).is_new_user).toBe(false);
});

test('the snippets of other-providers.md offer, sign in and link by redirect', async () => {
  const page = await exportsOf('other-providers');
  const service = fakeService({ providers: { github: { name: 'GitHub', kind: 'github' } } });
  const client = createClient({ ...service.options, storage: memoryStorage() });
  const tab = newTab();
  onTestFinished(() => void vi.unstubAllGlobals());
  const buttons: { id: string; label: string }[] = await page.providerButtons(client);
  expect(buttons.map(({ label }) => label)).toEqual([
    'Continue with Google',
    'Continue with Apple',
    'Continue with GitHub',
  ]);
  expect(await page.arrive(client)).toBeNull();
  const goTo = async (id: string, account: { email: string; emailVerified?: boolean }) => {
    await page.continueWith(client, id);
    tab.assign(service.returnFromProvider(tab.href, account));
    return page.arrive(client);
  };
  for (const { id } of buttons.slice(0, 2)) expect(await goTo(id, ada)).toBe(`Welcome, ${ada.email}.`);
  expect(await goTo('github', ada)).toBe(
    'An account has this email. Sign in as before, then link the provider.',
  );
  const hidden = { email: 'hidden@example.com', emailVerified: false };
  expect(await goTo('provider-b', hidden)).toBe('The provider names no verified email. Use another method.');
  await page.linkProvider(client, 'github');
  tab.assign(service.returnFromProvider(tab.href, ada));
  expect(await page.arrive(client)).toBe('github is linked.');
  await client.auth.signOut();
  expect(await goTo('github', ada)).toBe(`Welcome, ${ada.email}.`);
  await page.continueWith(client, 'github');
  tab.assign(service.cancelAtProvider(tab.href));
  expect(await page.arrive(client)).toBeNull();
  await page.continueWith(client, 'github');
  tab.assign(service.returnFromProvider(tab.href, ada));
  service.advance(61_000);
  expect(await page.arrive(client)).toBe('That took too long. Sign in again.');
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

test('the snippets of passkeys.md and second-factor.md sign in in two steps, and with a passkey', async () => {
  const page = { ...(await exportsOf('passkeys')), ...(await exportsOf('second-factor')) };
  const { service, client } = setUp();
  service.addUser({ ...ada, email_verified: true });
  const totp = async () => {
    service.advance(30_000);
    return service.totp(ada.email);
  };
  const typed = async () => ada.password;
  expect(await page.firstStep(() => client.auth.signIn(ada))).toBeNull();
  expect(await page.isEnrolled(client)).toBe(false);
  expect(await page.enroll(client, typed, totp)).toHaveLength(10);
  expect(await page.isEnrolled(client)).toBe(true);
  await client.auth.signOut();
  const wrong: boolean[] = [];
  await page.signIn(client, ada, async (isWrong: boolean) => {
    wrong.push(isWrong);
    return isWrong ? totp() : '000000';
  });
  expect(wrong).toEqual([false, true]);
  const ticket = await page.firstStep(() => client.auth.signIn(ada));
  await page.secondStep(client, ticket, await totp());
  expect(client.auth.state.status).toBe('signedIn');
  expect(await page.passkeyNames(client)).toEqual([]);
  // Node has no passkeys.
  await expect(page.signInWithPasskey(client)).rejects.toMatchObject({ code: 'client/passkey-unsupported' });
  expect(await page.upgradeToPasskey(client)).toBeNull();
  page.offerPasskeys(client, expect.fail)();
  await page.removeSecondFactor(client, async () => ({ ...ada, totp: await totp() }));
  expect(await page.isEnrolled(client)).toBe(false);
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

test('the snippets of moving-users.md sign in with a new password, and find the new ids', async () => {
  const page = await exportsOf('moving-users');
  const { service, client } = setUp();
  const { email, password } = ada;
  // As imported: with an email and no password.
  service.addUser({ email, email_verified: true });
  expect(await page.signInOrSendCode(client, email, password)).toBe(false);
  await page.setPassword(client, { email, code: service.code(email), password });
  expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email } });
  await client.auth.signOut();
  expect(await page.signInOrSendCode(client, email, password)).toBe(true);
  service.fail('POST /auth/sign-in', 'offline');
  await expect(page.signInOrSendCode(client, email, password)).rejects.toMatchObject({
    code: 'client/network',
  });

  const report = join(folder, 'report.jsonl');
  const lines = [
    { record: 1, id: 'old', uid: 'new', outcome: 'imported', left_out: [] },
    { record: 2, id: 'phone', outcome: 'not imported', reason: 'has no email' },
  ];
  await writeFile(report, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect([...(await page.newUids(report))]).toEqual([['old', 'new']]);
});

test('the snippets of the pages about moving from Supabase, Clerk and better-auth do what the replaced calls did', async () => {
  const supabase = await exportsOf('moving-from-supabase');
  const clerk = await exportsOf('moving-from-clerk');
  const betterAuth = await exportsOf('moving-from-better-auth');
  const { service, client } = setUp();
  const emails: (string | null)[] = [];
  const stop = supabase.watchUser(client, (email: string | null) => emails.push(email));
  expect(await betterAuth.getSession(client)).toBeNull();
  expect(clerk.authOf(client)).toEqual({ isLoaded: true, isSignedIn: false, userId: null });
  const { user } = await betterAuth.signUp(client, { ...ada, name: ' Ada King  Lovelace ' });
  expect(user).toMatchObject({ first_name: 'Ada', last_name: 'King Lovelace' });
  expect(await betterAuth.getSession(client)).toMatchObject({ user: { email: ada.email } });
  expect(clerk.authOf(client)).toEqual({ isLoaded: true, isSignedIn: true, userId: user.uid });
  await client.auth.signOut();
  expect(await supabase.signIn(client, ada.email, 'wrong')).toEqual({
    user: null,
    error: 'auth/invalid-credential',
  });
  expect(await supabase.signIn(client, ada.email, ada.password)).toMatchObject({ user, error: null });
  await client.auth.signOut();
  await clerk.sendCode(client, ada.email);
  expect(await clerk.enterCode(client, ada.email, service.code(ada.email))).toBe(user.uid);
  const { email } = ada;
  expect(emails).toEqual([null, email, null, email, null, email]);
  stop();
  await client.auth.signOut();
  expect(emails).toHaveLength(6);
});

test.each(['auth0', 'better-auth', 'clerk', 'firebase', 'supabase'])(
  'the table of moving-from-%s.md names calls of the client and functions that exist',
  async (service) => {
    const text = await readFile(join(workspace, 'docs', `moving-from-${service}.md`), 'utf8');
    const rows = text.split('\n').filter((line) => /^\| .* \| .* \|$/.test(line));
    expect(rows.length).toBeGreaterThan(20);
    const cells = rows.map((row) => row.split(' | ').at(-1)).join();
    const { client } = setUp();
    const unknown: string[] = [];
    const calls = [...cells.matchAll(/`client\.([\w.]+)/g)].map(([, path]) => path!);
    for (const path of calls) {
      const found = path
        .split('.')
        .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], client);
      if (found === undefined && path !== 'auth.state.user') unknown.push(`client.${path}`);
    }
    const exported = { ...(await import('../src/index.js')), ...(await import('../src/react/index.js')) };
    const functions = [...cells.matchAll(/`(\w+)\(client\b/g)].map(([, name]) => name!);
    for (const name of functions) if (!(name in exported)) unknown.push(name);
    expect([calls.length > 15, functions.length > 0, unknown]).toEqual([true, true, []]);
  },
);

test('the snippets of moving-from-auth0.md call a backend with the token, and refuse a call without one', async () => {
  const { loadOrders, bearerCheck } = await exportsOf('moving-from-auth0');
  const service = fakeService();
  const url = 'https://backend.example.com/orders';
  const client = createClient({
    ...service.options,
    storage: memoryStorage(),
    fetch: async (input, init) =>
      String(input) === url
        ? Response.json([new Headers(init?.headers).get('Authorization')])
        : service.options.fetch(input, init),
  });
  await client.auth.signUp(ada);
  expect(await loadOrders(client, url)).toEqual([`Bearer ${await client.auth.getAccessToken()}`]);
  const { baseUrl, appKey } = service.options;
  const check = bearerCheck({ baseUrl, appKey, appId: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB' });
  expect(await check(null)).toEqual({ status: 401 });
  expect(await check('Bearer x.y.z')).toEqual({ status: 401 });
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
      types: page === 'expo' || page === 'nextjs' ? [] : ['node'],
      skipLibCheck: true,
      noEmit: true,
    };
    expect(await compile(project, 'tsconfig.json', options, files)).toBe('');
  },
);

test('the components of frameworks.md compile, and their state follows the client', async ({ skip }) => {
  const packages = join(workspace, 'test/runtimes/node_modules');
  if (!existsSync(packages)) skip();
  const text = await readFile(join(workspace, 'docs/frameworks.md'), 'utf8');
  const component = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)![1]!;
  const from = createRequire(join(packages, 'package.json'));
  const vue = await import(from.resolve('vue/compiler-sfc'));
  const { descriptor, errors } = vue.parse(component('vue'));
  expect(errors).toEqual([]);
  expect(vue.compileScript(descriptor, { id: 'app', inlineTemplate: true }).content).toContain('signOut');
  const svelte = await import(from.resolve('svelte/compiler'));
  const { js, warnings } = svelte.compile(component('svelte'), { filename: 'App.svelte' });
  expect(warnings).toEqual([]);
  expect(js.code).toContain('signOut');

  const { client } = setUp();
  await client.auth.ready();
  const { effectScope, shallowRef, onScopeDispose } = await import(from.resolve('vue'));
  const { readable } = await import(from.resolve('svelte/store'));
  const snippets = await snippetsOf('frameworks');
  /** The export of a snippet, with what it imports. */
  const evaluated = (index: number, name: string, given: object) => {
    const { code } = transformSync(snippets[index]!, { loader: 'ts', format: 'esm' });
    const body = code.replace(/^import .*$/gm, '').replace(/export \{[^}]*\};?/, '');
    return new Function(...Object.keys(given), `${body}; return ${name};`)(...Object.values(given));
  };
  const scope = effectScope();
  const useAuthState = evaluated(1, 'useAuthState', { client, shallowRef, onScopeDispose });
  const inVue = scope.run(() => useAuthState());
  let inSvelte: string | undefined;
  const stop = evaluated(2, 'authState', { client, readable }).subscribe(
    (state: { status: string }) => (inSvelte = state.status),
  );
  await client.auth.signUp(ada);
  expect([inVue.value.status, inSvelte]).toEqual(['signedIn', 'signedIn']);
  scope.stop();
  stop();
  await client.auth.signOut();
  expect([inVue.value.status, inSvelte]).toEqual(['signedIn', 'signedIn']);
});

test('the snippets of errors.md and google-and-apple.md keep a code through a clone, and a name through a failure', async () => {
  const { cloneable } = await exportsOf('errors');
  const { signInKeepingName } = await exportsOf('google-and-apple');
  const { service, client } = setUp();
  service.fail('POST /auth/provider-b', 'offline');
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const nonce = 'nonce-1';
  const proof = () => ({
    identity_token: service.idToken('provider-b', { email: ada.email, nonce }),
    authorization_code: 'code',
    nonce,
  });
  const first = { ...proof(), first_name: 'Ada', last_name: 'Lovelace' };
  const error = await signInKeepingName(client, storage, first).catch((reason: unknown) => reason);
  expect(isFoyerError(structuredClone(error))).toBe(false);
  expect(isFoyerError(structuredClone(cloneable(error)), 'client/network')).toBe(true);
  await signInKeepingName(client, storage, proof());
  expect(await client.me.get()).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });
  expect(kept.size).toBe(0);
});

test('a link that is opened again after a reload leaves the user signed in, and one of another user is used up', async () => {
  const { openLink, sendCode } = await exportsOf('sign-in-methods');
  const { service, client } = setUp();
  await sendCode(client, ada.email);
  const query = (email: string, code: string) =>
    `mode=sign_in&email=${encodeURIComponent(email)}&code=${code}`;
  const url = `https://app.example.com/?${query(ada.email, service.code(ada.email))}`;
  // The effects of StrictMode run twice.
  expect(await Promise.all([openLink(client, url), openLink(client, url)])).toEqual([
    'signed-in',
    'signed-in',
  ]);
  expect(service.requestsTo('POST /auth/email-code/verify').length).toBe(1);
  expect(await openLink(client, url)).toBe('signed-in');
  const other = `https://app.example.com/?${query('eve@example.com', '123123')}`;
  expect(await openLink(client, other)).toBe('used-up');
  expect(client.auth.state).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
});

test('after a reload while the response to a link was lost, a new code signs in', async () => {
  const { openLink, sendCode, enterCode } = await exportsOf('sign-in-methods');
  const { service, client } = setUp();
  await sendCode(client, ada.email);
  const url = `https://app.example.com/?mode=sign_in&email=${ada.email}&code=${service.code(ada.email)}`;
  service.fail('POST /auth/email-code/verify', 'lost-answer');
  await expect(openLink(client, url)).rejects.toMatchObject({ code: 'client/network' });
  client.dispose();
  const reloaded = createClient({ ...service.options, storage: memoryStorage() });
  expect(await openLink(reloaded, url)).toBe('used-up');
  expect(reloaded.auth.state.status).toBe('signedOut');
  await sendCode(reloaded, ada.email);
  const { user } = await enterCode(reloaded, ada.email, service.code(ada.email));
  expect(user.email).toBe(ada.email);
});
