// Sign in with an identity provider: the provider's own SDK gives an ID token, and the service takes it.
// Run it against your service:  FOYER_APP_KEY=pk_… PROVIDER_URL=https://… npx tsx examples/04-provider-sign-in.ts
// The service knows provider A by PROVIDER_A_ISSUER and PROVIDER_A_JWKS_URL (Google's when they are absent), and the app by
// its client id there, set once with the secret key: PATCH /admin/settings {"provider_a": {"client_ids": {"web": "…"}}}
import { createClient, createNonce, isFoyerError } from '@foyer/sdk';

const foyer = createClient({
  baseUrl: process.env.FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
  appKey: process.env.FOYER_APP_KEY ?? '',
});

// The nonce ties the ID token to this sign-in: a token that was stolen elsewhere does not have it.
const nonce = await createNonce();
const idToken = await signInAtProvider(nonce.raw);
const { user, isNewUser } = await foyer.auth.signInWithProviderA({ idToken, nonce: nonce.raw });
console.log(isNewUser ? 'welcome' : 'welcome back', user.email);

for await (const identity of foyer.me.identities()) {
  console.log('linked:', identity.provider, 'as', identity.email);
}
await foyer.auth.signOut();

// An ID token is no password: without its nonce it opens nothing.
try {
  const { raw } = await createNonce();
  await foyer.auth.signInWithProviderA({ idToken, nonce: raw });
} catch (error) {
  if (!isFoyerError(error, 'auth/invalid-credential')) throw error;
  console.log('refused: the token of another sign-in');
}

const again = await createNonce();
const session = await foyer.auth.signInWithProviderA({
  idToken: await signInAtProvider(again.raw),
  nonce: again.raw,
});
console.log(session.isNewUser ? 'welcome' : 'welcome back', session.user.email);

// Deleting the account demands a sign-in of the last few minutes; otherwise the provider is asked once more.
await foyer.auth.withRecentSignIn(
  () => foyer.me.delete(),
  async () => {
    const { raw } = await createNonce();
    return { providerA: { idToken: await signInAtProvider(raw), nonce: raw } };
  },
);
console.log('state:', foyer.auth.state);
foyer.dispose();

/**
 * Stands where the provider's SDK stands in an app: `google.accounts.id.initialize({ client_id, nonce, callback })`, for
 * example, whose callback gets the ID token as `credential`. Here it is the same by hand (OpenID Connect, implicit flow),
 * at a provider that asks its user nothing.
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
