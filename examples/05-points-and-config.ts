// Points and remote config: the app's backend adds points and changes a value, and the app shows both without a release.
// Run it against your service:  FOYER_APP_KEY=pk_… FOYER_SECRET_KEY=sk_… npx tsx examples/05-points-and-config.ts
import { createClient, remoteConfig } from '@foyer/sdk';

const baseUrl = process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2';
const appKey = process.env.FOYER_APP_KEY ?? '';

// The backend, the only owner of the secret key.
async function backend(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      'X-App-Key': appKey,
      Authorization: `Bearer ${process.env.FOYER_SECRET_KEY}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response;
}

const tiers = [
  { tier: 'member', min_points: 0 },
  { tier: 'silver', min_points: 100 },
];
await backend('PATCH', '/admin/settings', { tiers });

// The app.
const foyer = createClient({ baseUrl, appKey });
const config = remoteConfig(foyer);
const email = `ada-${Date.now()}@example.com`;
const { user } = await foyer.auth.signUp({ email, password: 'correct horse battery staple' });

// The reference makes the call idempotent: the entry is added once.
const entries = `/admin/users/${user.uid}/loyalty/entries`;
await backend('POST', entries, { points: 200, description: 'Welcome', reference: 'welcome' });
await backend('POST', entries, { points: 200, description: 'Welcome', reference: 'welcome' });
await backend('POST', entries, { points: -50, description: 'Coffee voucher', reference: 'voucher-1' });

const { points, tier } = await foyer.me.loyalty();
console.log(`${points} points, ${tier}`);
for await (const entry of foyer.me.loyaltyHistory()) {
  console.log(entry.points > 0 ? `+${entry.points}` : entry.points, entry.description);
}

console.log('cards:', await config.value('cards', []));
console.log('banner:', await config.value('banner', 'none yet'));

// Read, change and write with If-Match: of two concurrent edits of one version, the second is rejected.
const current = await backend('GET', '/admin/config');
const { parameters } = ((await current.json()) as { data: { parameters: object } }).data;
const banner = { type: 'string', value: 'Points count double today', description: 'Shown on top.' };
const ifMatch = current.headers.get('ETag') ?? '';
await backend('PUT', '/admin/config', { parameters: { ...parameters, banner } }, { 'If-Match': ifMatch });

await config.get();
console.log('banner:', await config.value('banner', 'none yet'));

await foyer.me.delete();
foyer.dispose();
