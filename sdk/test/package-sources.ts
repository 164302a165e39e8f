// The programs that package.test.ts compiles and runs with the packed SDK.

/** An app of the core. */
export const scenario = `
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

export const esm = `import { createClient, FoyerError, isFoyerError } from '@foyer/sdk';\n${scenario}`;

export const cjs = `import sdk = require('@foyer/sdk');\nconst { createClient, FoyerError, isFoyerError } = sdk;\n${scenario}`;

/** What an app without the types of Node declares itself. */
export const argv =
  '\ndeclare const process: { argv: string[] };\ndeclare const console: { log(...all: unknown[]): void };';

/** A command line: the storage in files, checked. */
export const checkFiles = `
  const checks = storageChecks({ open: () => fileStorage(process.argv[2]), timeoutMs: 60_000 });
  checks.reduce((previous, { run }) => previous.then(run), Promise.resolve()).then(() => {
    console.log(checks.length > 10, webStorage === sdk.webStorage, typeof secureStorage);
  });
`;

/** A receiver of webhooks. */
export const receive = `
  const secret = 'whsec_' + 'A'.repeat(43) + '=';
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
  verifyWebhook('{}', headers, secret).then(
    (event: WebhookEvent) => console.log(event.type === 'session.ended' ? event.data.session.reason : event.id),
    (error: unknown) => console.log(error instanceof WebhookError ? error.reason : error),
  );
`;

/** A backend with a secret key. */
export const judge = `
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

/** A unit test of an app, with the fake service. */
export const unitTest = `
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

/** A backend that renders pages. */
export const render = `
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
