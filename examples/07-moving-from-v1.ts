// Migration from v1: a user of an app's v1 release opens the update, stays signed in, and has the same points.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/07-moving-from-v1.ts
import { createClient, v1Migration } from '@foyer/sdk';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const appKey = process.env.FOYER_APP_KEY ?? '';
const email = `ada-${Date.now()}@example.com`;
const password = 'correct horse battery staple';

// The v1 release stores one token.
const oldStorage = new Map<string, string>();
async function v1(method: string, path: string, body?: object, token?: string): Promise<Response> {
  return fetch(baseUrl.replace(/v2$/, 'v1') + path, {
    method,
    headers: {
      'X-App-Key': appKey,
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
const names = { first_name: 'Ada', last_name: 'Lovelace' };
await v1('POST', '/register', { ...names, email, password, password_confirmation: password });
const login = await v1('POST', '/login', { email, password });
const { token } = ((await login.json()) as { data: { token: string } }).data;
oldStorage.set('token', token);

// The update only specifies where the v1 token is stored.
const foyer = createClient({
  baseUrl,
  appKey,
  migrateV1: v1Migration({
    read: () => oldStorage.get('token') ?? null,
    clear: () => void oldStorage.delete('token'),
    onResult: (result) => console.log(`the v1 token was ${result}`),
  }),
});
await foyer.auth.ready();
const { first_name } = await foyer.me.get();
const { points, member_id } = await foyer.me.loyalty();
console.log(`hello ${first_name}, member ${member_id}, ${points} points`);
console.log(`v1 now answers the old token with ${(await v1('GET', '/me', undefined, token)).status}`);

// The authentication time is that of v1, so a sensitive operation may require the password once.
await foyer.auth.withRecentSignIn(
  () => foyer.me.delete(),
  async () => ({ password }),
);
console.log('state:', foyer.auth.state);
foyer.dispose();
