// A certified OpenID provider (oidc-provider) as provider A and B: real sign-ins by a scripted user, real codes,
// refresh tokens and revocations. The time is the machine's.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { exportJWK, jwtVerify } from 'jose';
import { type ClientMetadata, type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Config } from '../src/env.js';
import { freePort } from './free-port.js';
import { providerKey } from './identity-provider.js';
import { localServer } from './local-server.js';

export const redirectUri = 'https://app.example.com/signed-in';

export type OpenIdProvider = Awaited<ReturnType<typeof openIdProvider>>;

/** The claims of every user; email_verified is a string, as Apple sometimes sends it. */
const claimsOf = (person: string, emailVerified: unknown) => ({
  sub: person,
  email: `${person}@example.com`,
  email_verified: emailVerified,
  given_name: 'Ada',
  family_name: 'Lovelace',
});

/** `appKey` is the app's public key at provider B, whose client secrets are JWTs. */
export async function openIdProvider(
  clients: ClientMetadata[],
  options: { appKey?: KeyObject; emailVerified: unknown; conformIdTokenClaims?: boolean },
) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const key = await providerKey('signing');
  const configuration: Configuration = {
    clients,
    jwks: {
      keys: [{ ...(await exportJWK(key.privateKey)), kid: key.kid, alg: key.alg, use: 'sig' } as never],
    },
    cookies: { keys: ['a key for the cookies of tests'] },
    responseTypes: ['code', 'id_token', 'code id_token'],
    scopes: ['openid', 'email', 'profile'],
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    // Then an ID token beside an access token has the user only, and the UserInfo endpoint the rest.
    conformIdTokenClaims: options.conformIdTokenClaims ?? false,
    pkce: { required: () => false },
    issueRefreshToken: async () => true,
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, person) => ({
      accountId: person,
      claims: async () => claimsOf(person, options.emailVerified) as never,
    }),
    loadExistingGrant,
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, RefreshToken: 600 },
  };
  const provider = new Provider(issuer, configuration);
  const { appKey } = options;
  if (appKey) expectClientSecretsOf(provider, issuer, appKey);

  const answer = provider.callback();
  const { stop } = await localServer(async (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return answer(req, res);
    const person = req.headers['x-person'];
    await provider.interactionFinished(req, res, { login: { accountId: String(person) } });
  }, port);

  return {
    issuer,
    addresses: {
      issuers: [issuer],
      jwksUrl: `${issuer}/jwks`,
      tokenUrl: `${issuer}/token`,
      revokeUrl: `${issuer}/token/revocation`,
    } satisfies Config['providerB'],
    /** Signs a user in, in a new browser session; returns the parameters of the redirect to the app. */
    async authorize(person: string, request: Record<string, string>) {
      const query = new URLSearchParams({
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        ...request,
      });
      const returned = await browse(new URL(`/auth?${query}`, issuer), person);
      return new URLSearchParams(returned.hash.slice(1));
    },
    /** The same for the URL of an authorization request; returns where the user is sent. */
    signIn: (url: string, person: string) => browse(new URL(url), person),
    hasRefreshToken: async (token: string) => (await provider.RefreshToken.find(token)) !== undefined,
    stop,
  };
}

async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { provider, client, session, params } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
  grant.addOIDCScope(String(params?.scope));
  await grant.save();
  return grant;
}

/**
 * As at Apple: a JWT valid for at most six months, signed with the team's key. oidc-provider supports only fixed
 * secrets.
 */
function expectClientSecretsOf(provider: Provider, issuer: string, appKey: KeyObject): void {
  const client = provider.Client.prototype as unknown as {
    clientId: string;
    compareClientSecret(secret: string): Promise<boolean>;
  };
  client.compareClientSecret = async function (secret) {
    const expected = {
      issuer: 'TEAM123456',
      audience: issuer,
      subject: this.clientId,
      algorithms: ['ES256'],
    };
    const verified = await jwtVerify(
      secret,
      createPublicKey(appKey.export({ type: 'spki', format: 'pem' })),
      {
        ...expected,
        maxTokenAge: '5 minutes',
      },
    ).catch(() => null);
    return verified?.protectedHeader.kid === 'KEY1234567';
  };
}

/** Follows redirects of the provider, with cookies, until they lead away from it. */
async function browse(start: URL, person: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = start;
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie, 'x-person': person } });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    address = new URL(location, address);
    if (address.origin !== start.origin) return address;
  }
  throw new Error('the provider redirects without end');
}
