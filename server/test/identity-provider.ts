// An identity provider under the test's control: valid and hostile ID tokens, a key set that is down, slow or moved,
// and provider B's own endpoints. Tokens use the service's clock.
import { createHash, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import type { Config } from '../src/env.js';
import type { Clock } from '../src/lib/clock.js';
import { ecKeyPair, rsaKeyPair } from './key-pairs.js';
import { localServer } from './local-server.js';

export type ProviderKey = { kid: string; alg: 'RS256' | 'ES256'; privateKey: KeyObject; publicJwk: JWK };

export type TokenOptions = {
  /** Merged into the claims of a valid token; undefined omits one. */
  claims?: Record<string, unknown>;
  header?: Partial<JWTHeaderParameters>;
  key?: ProviderKey;
};

export type Call = { path: string; form: URLSearchParams; headers: IncomingMessage['headers'] };
export type Route = (call: Call, res: ServerResponse) => void | Promise<void>;

/** A sign-in by redirect: the authorization request, and the ID token that follows. */
type Grant = { request: URLSearchParams; token: TokenOptions; isUsed: boolean };

export type IdentityProvider = Awaited<ReturnType<typeof identityProvider>>;

export const discoveryPath = '/.well-known/openid-configuration';

/** `owner` tells RSA keys of the same id apart. */
export function providerKey(
  kid: string,
  alg: 'RS256' | 'ES256' = 'RS256',
  owner = 'somebody',
): Promise<ProviderKey> {
  const pair = alg === 'RS256' ? rsaKeyPair(`${owner}: ${kid}`) : ecKeyPair();
  const { privateKey, publicKey } = pair;
  return exportJWK(publicKey).then((jwk) => ({
    kid,
    alg,
    privateKey,
    publicJwk: { ...jwk, kid, alg, use: 'sig' },
  }));
}

/** `clientId` is the audience of valid tokens. */
export async function identityProvider(clock: Clock, clientId: string) {
  const key = await providerKey('first', 'RS256', clientId);
  const keys = [key];
  const calls: Call[] = [];
  const other = new Map<string, Route>();
  const codes = new Map<string, { sub: string; aud: string }>();
  const grants = new Map<string, Grant>();
  const given: string[] = [];
  const revoked: string[] = [];
  let made = 0;
  let madeCodes = 0;

  const usual: Record<string, Route> = {
    [discoveryPath]: (_call, res) => json(res, 200, discoveryDocument()),
    '/keys': (_call, res) => json(res, 200, { keys: keys.map((each) => each.publicJwk) }),
    async '/token'({ form }, res) {
      const grant = grants.get(form.get('code') ?? '');
      if (grant) return answerGrant(grant, form, res);
      const person = codes.get(form.get('code') ?? '');
      if (!person || form.get('client_id') !== person.aud) return json(res, 400, { error: 'invalid_grant' });
      codes.delete(form.get('code') ?? '');
      json(res, 200, {
        access_token: 'an-access-token',
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: newRefreshToken(person.sub),
        id_token: await idToken({ claims: { ...person, nonce: undefined } }),
      });
    },
    '/revoke'({ form }, res) {
      revoked.push(form.get('token') ?? '');
      json(res, 200, {});
    },
  };

  const { origin: issuer, stop } = await localServer(async (req, res) => {
    const path = req.url ?? '';
    const form = new URLSearchParams(await text(req));
    const call = { path, form, headers: req.headers };
    calls.push(call);
    const route = other.get(path) ?? usual[path];
    if (route) await route(call, res);
    else res.writeHead(404).end();
  });

  /** Also the endpoints of sign-in by redirect. */
  function discoveryDocument() {
    return {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** Once, and for the verifier and the redirect URI of the request. */
  async function answerGrant(grant: Grant, form: URLSearchParams, res: ServerResponse) {
    const { request, token } = grant;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isOfRequest =
      challenge === request.get('code_challenge') && form.get('redirect_uri') === request.get('redirect_uri');
    if (grant.isUsed || !isOfRequest) return json(res, 400, { error: 'invalid_grant' });
    grant.isUsed = true;
    const claims = { nonce: request.get('nonce'), aud: request.get('client_id'), ...token.claims };
    json(res, 200, {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      refresh_token: newRefreshToken(String(token.claims?.sub ?? 'person-1')),
      id_token: await idToken({ ...token, claims }),
    });
  }

  function newRefreshToken(sub: string): string {
    const before = given.filter((token) => token.startsWith(`refresh-token-${sub}-`));
    const refreshToken = `refresh-token-${sub}-${before.length + 1}`;
    given.push(refreshToken);
    return refreshToken;
  }

  function idToken(options: TokenOptions = {}): Promise<string> {
    const now = Math.floor(clock.now().getTime() / 1_000);
    const signer = options.key ?? key;
    made += 1;
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: 'person-1',
      email: 'ada@example.com',
      email_verified: true,
      iat: now,
      exp: now + 3_600,
      // No two tokens are the same.
      jti: `token-${made}`,
      ...options.claims,
    };
    const kept = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
    return new SignJWT(kept)
      .setProtectedHeader({ alg: signer.alg, kid: signer.kid, ...options.header })
      .sign(signer.privateKey, { crit: {} });
  }

  return {
    issuer,
    key,
    /** The contents of the key set. */
    keys,
    calls,
    callsTo: (path: string) => calls.filter((call) => call.path === path),
    /** Overrides the answer of a path from now on; null restores the default. */
    answer(path: '/keys' | '/token' | '/revoke' | '/userinfo' | typeof discoveryPath, route: Route | null) {
      if (route) other.set(path, route);
      else other.delete(path);
    },
    idToken,
    discoveryDocument,
    /** Signs a user in at the URL of an authorization request, and returns the code. */
    grant(url: string, token: TokenOptions = {}) {
      madeCodes += 1;
      const code = `authorization-code-${madeCodes}`;
      grants.set(code, { request: new URL(url).searchParams, token, isUsed: false });
      return code;
    },
    /** A code that `/token` exchanges, once, for a refresh token of this person. */
    code(sub: string, aud: string) {
      madeCodes += 1;
      const code = `authorization-code-${madeCodes}`;
      codes.set(code, { sub, aud });
      return code;
    },
    /** Issued refresh tokens, `refresh-token-<sub>-<n>`, and those revoked since. */
    given,
    revoked,
    addresses: {
      issuers: [issuer],
      jwksUrl: `${issuer}/keys`,
      tokenUrl: `${issuer}/token`,
      revokeUrl: `${issuer}/revoke`,
    } satisfies Config['providerB'],
    stop,
  };
}

/** A connection that closes without an answer, as when a server is down. */
export const down: Route = (_call, res) => {
  res.socket?.destroy();
};

export function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
