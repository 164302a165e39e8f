// Sign in with an identity provider: the provider's own SDK issues an ID token, and the service verifies it.
// Run it against your service:  FOYER_APP_KEY=pk_… PROVIDER_URL=https://… npx tsx examples/04-provider-sign-in.ts
// Provider A is configured by PROVIDER_A_ISSUER and PROVIDER_A_JWKS_URL (default: Google), and by the app's
// client id there, set once with the secret key: PATCH /admin/settings {"provider_a": {"client_ids": {"web": ["…"]}}}
import { createClient, createNonce, isFoyerError } from '@foyer/sdk';

const foyer = createClient({
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
});

// The nonce binds the ID token to this sign-in, so that a stolen token is rejected.
const nonce = await createNonce();
const idToken = await signInAtProvider(nonce.raw);
const { user, is_new_user } = await foyer.auth.signInWithProviderA({ id_token: idToken, nonce: nonce.raw });
console.log(is_new_user ? 'welcome' : 'welcome back', user.email);

for await (const identity of foyer.me.identities()) {
  console.log('linked:', identity.provider, 'as', identity.email);
}
await foyer.auth.signOut();

// An ID token is rejected without its nonce.
try {
  const { raw } = await createNonce();
  await foyer.auth.signInWithProviderA({ id_token: idToken, nonce: raw });
} catch (error) {
  if (!isFoyerError(error, 'auth/invalid-credential')) throw error;
  console.log('refused: the token of another sign-in');
}

const again = await createNonce();
const session = await foyer.auth.signInWithProviderA({
  id_token: await signInAtProvider(again.raw),
  nonce: again.raw,
});
console.log(session.is_new_user ? 'welcome' : 'welcome back', session.user.email);

// Deleting the account requires a recent sign-in; otherwise the user reauthenticates with the provider.
await foyer.auth.withRecentSignIn(
  () => foyer.me.delete(),
  async () => {
    const { raw } = await createNonce();
    return { provider_a: { id_token: await signInAtProvider(raw), nonce: raw } };
  },
);
console.log('state:', foyer.auth.state);
foyer.dispose();

/**
 * Replaces the provider's SDK, such as `google.accounts.id.initialize({ client_id, nonce, callback })`, whose callback
 * receives the ID token as `credential`. Implements the OpenID Connect implicit flow with a provider that requires no user
 * interaction.
 */
async function signInAtProvider(nonce: string): Promise<string> {
  const address = new URL('authorize', process.env.PROVIDER_URL);
  address.search = new URLSearchParams({
    response_type: 'id_token',
    client_id: process.env.PROVIDER_CLIENT_ID ?? 'web.client',
    redirect_uri: 'https://app.example.com/signed-in',
    scope: 'openid email',
    nonce,
  }).toString();
  const response = await fetch(address, { redirect: 'manual' });
  const { hash } = new URL(response.headers.get('Location') ?? '', address);
  const idToken = new URLSearchParams(hash.slice(1)).get('id_token');
  if (!idToken) throw new Error(`the provider answered ${response.status} without an ID token`);
  return idToken;
}
