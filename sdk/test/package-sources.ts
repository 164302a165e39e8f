// The programs that package.test.ts compiles and runs with the packed SDK.

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

/** What an app without the types of Node declares itself. */
export const argv =
  '\ndeclare const process: { argv: string[] };\ndeclare const console: { log(...all: unknown[]): void };';

const checkFiles = `
  const checks = storageChecks({ open: () => fileStorage(process.argv[4]), timeoutMs: 60_000 });
  checks.reduce((previous, { run }) => previous.then(run), Promise.resolve()).then(() => {
    console.log(checks.length > 10, webStorage === sdk.webStorage, typeof secureStorage);
  });
`;

const receive = `
  const secret = 'whsec_' + 'A'.repeat(43) + '=';
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
  verifyWebhook('{}', headers, secret).then(
    (event: WebhookEvent) => console.log(event.type === 'session.ended' ? event.data.session.reason : event.id),
    (error: unknown) => console.log(error instanceof WebhookError ? error.reason : error),
  );
`;

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

/** A React app with typed claims. */
export const typedClaims = `
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

interface Program {
  imports: [names: string, entry: string][];
  source: string;
  /** What it prints. */
  output: string;
}

/** Programs that run as ES modules and as CommonJS, with the base URL of a service, an own name and an own folder. */
export const programs = {
  'an app': {
    imports: [['{ createClient, FoyerError, isFoyerError }', '@foyer/sdk']],
    source: scenario,
    output: 'true 1 auth/invalid-credential true',
  },
  'a command line with fileStorage': {
    imports: [
      ['* as sdk', '@foyer/sdk'],
      ['{ fileStorage, webStorage }', '@foyer/sdk/storage'],
      ['{ storageChecks }', '@foyer/sdk/testing'],
      ['{ secureStorage }', '@foyer/sdk/expo'],
    ],
    source: checkFiles,
    output: 'true true function',
  },
  'a receiver of webhooks': {
    imports: [['{ verifyWebhook, WebhookError, type WebhookEvent }', '@foyer/sdk/webhooks']],
    source: receive,
    output: 'too-old',
  },
  'a backend with a secret key': {
    imports: [['{ createAdmin, isFoyerError, type AdminUser }', '@foyer/sdk/admin']],
    source: judge,
    // Verifying needs jose.
    output: 'client/invalid-argument client/network',
  },
  'a unit test with the fake service': {
    imports: [
      ['{ collection, createClient, memoryStorage }', '@foyer/sdk'],
      ['{ fakeService }', '@foyer/sdk/testing'],
    ],
    source: unitTest,
    output: 'phone 1 request/unavailable',
  },
  'a backend that renders pages': {
    imports: [['{ createCookieSessions, createServerClient }', '@foyer/sdk/server']],
    source: render,
    output: 'u1 ada@example.com 3 3',
  },
} satisfies Record<string, Program>;

/** A program in TypeScript. */
export function typed({ imports, source }: Program): string {
  return [...imports.map(([names, entry]) => `import ${names} from '${entry}';`), source].join('\n');
}

/** A program in JavaScript, without the types that it is written with. */
export function untyped(program: Program, format: 'mjs' | 'cjs'): string {
  const source = typed(program)
    .replace(/, type \w+/g, '')
    .replace(/: (Promise<void>|unknown|WebhookEvent|AdminUser|\{ code: string \})/g, '');
  if (format === 'mjs') return source;
  return source.replace(/import (?:\* as )?(.+) from ('@foyer.+');/g, 'const $1 = require($2);');
}

/** Prints the names in events and in what is stored. */
export const observe = `
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
