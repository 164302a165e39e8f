// Sign up, read the profile, update it, list the sessions, sign out.
// Run it against your service:  FOYER_APP_KEY=pk_… npx tsx examples/01-quick-start.ts
import { createClient, isFoyerError } from '@foyer/sdk';

const foyer = createClient({
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
});
foyer.auth.onStateChange((state) => console.log('state:', state.status));

const email = `ada-${Date.now()}@example.com`;
const password = 'correct horse battery staple';

await foyer.auth.signUp({ email, password, first_name: 'Ada' });
console.log('hello', (await foyer.me.get()).first_name);

const changed = await foyer.me.update({ last_name: 'Lovelace' });
console.log('now called', changed.first_name, changed.last_name);

for await (const session of foyer.me.sessions()) {
  console.log('signed in by', session.method, session.current ? '(here)' : '');
}

await foyer.auth.signOut();

try {
  await foyer.auth.signIn({ email, password: 'not the password' });
} catch (error) {
  if (!isFoyerError(error, 'auth/invalid-credential')) throw error;
  console.log('refused:', error.message);
}

await foyer.auth.signIn({ email, password });
await foyer.auth.signOut({ everywhere: true });
foyer.dispose();
