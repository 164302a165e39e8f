// Access tokens: JWTs of the profile of RFC 9068, signed and verified with node:crypto. The WebCrypto calls of jose queue
// in the thread pool behind other work; a synchronous signature takes 30 µs and never waits.
import { sign, verify } from 'node:crypto';
import type { AccessTokenClaims, AccessTokens, Deps, PublishedKey } from '../deps.js';
import { sha256Base64 } from '../lib/crypto/digest.js';
import { secondsOf } from '../lib/timestamp.js';
import { type App, issuerOf } from '../model/app.js';
import type { TokenSession } from '../model/session.js';
import { mayBeOurHeader } from './unknown-key.js';

/** The header of a token, which names its key. */
export function headerOf(token: string): string {
  return token.slice(0, token.indexOf('.'));
}

const rememberedTokens = 20_000;
const maxTokenCharacters = 8_192;

/** `claims`: null until the first call with the token, so that a token that is never sent here takes little memory. */
type Remembered = { key: PublishedKey; claims: AccessTokenClaims | null };

export function accessTokens(deps: Pick<Deps, 'clock' | 'random' | 'signingKeys' | 'config'>): AccessTokens {
  const { signingKeys } = deps;
  // Clients send the same token with every request, so the verified signature is cached by the token's hash, and that of a token
  // that this process has signed from the start. Key, time, app and session are checked each time. Two generations, because V8
  // looks for the oldest entry of a Map among all that were deleted before it.
  let recent = new Map<string, Remembered>();
  let earlier = new Map<string, Remembered>();

  function remember(hash: string, entry: Remembered): void {
    if (recent.size >= rememberedTokens / 2) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(hash, entry);
  }

  function remembered(hash: string): Remembered | undefined {
    const known = recent.get(hash) ?? earlier.get(hash);
    return known && signingKeys.byHeader(known.key.header) === known.key ? known : undefined;
  }

  function verified(token: string): AccessTokenClaims | 'invalid' | 'unknown-key' {
    const hash = sha256Base64(token);
    const known = remembered(hash);
    if (known?.claims) return known.claims;
    const [header, payload, signature, ...more] = token.split('.');
    if (!header || !payload || !signature || more.length > 0) return 'invalid';
    // A header that this service does not issue is rejected: the algorithm never comes from the token.
    const key = signingKeys.byHeader(header);
    if (!key) return mayBeOurHeader(header) ? 'unknown-key' : 'invalid';
    if (!known && !signatureFits(key, `${header}.${payload}`, signature)) return 'invalid';
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as AccessTokenClaims;
    if (known) known.claims = claims;
    else remember(hash, { key, claims });
    return claims;
  }

  return {
    sign(app, session) {
      const { header, privateKey } = signingKeys.current(app.tokenAlgorithm);
      const claims = claimsOf(deps, app, session);
      const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      const token = `${input}.${signature.toString('base64url')}`;
      const key = signingKeys.byHeader(header);
      if (key) remember(sha256Base64(token), { key, claims: null });
      return token;
    },
    verify(app, token, now) {
      if (token.length > maxTokenCharacters) return 'invalid';
      const claims = verified(token);
      if (typeof claims === 'string') return claims;
      if (claims.aud !== app.id || claims.iss !== issuerOf(deps.config.baseUrl, app.id)) return 'invalid';
      return claims.exp <= now.getTime() / 1_000 ? 'expired' : claims;
    },
  };
}

function claimsOf(
  deps: Pick<Deps, 'clock' | 'random' | 'config'>,
  app: App,
  session: TokenSession,
): AccessTokenClaims {
  const now = secondsOf(deps.clock.now());
  return {
    iss: issuerOf(deps.config.baseUrl, app.id),
    aud: app.id,
    client_id: app.id,
    sub: session.uid,
    sid: session.sessionId,
    jti: deps.random.bytes(16).toString('base64url'),
    iat: now,
    exp: now + app.accessTokenSeconds,
    auth_time: secondsOf(session.authTime),
    amr: session.amr,
    email: session.email,
    email_verified: session.emailVerified,
    ...(Object.keys(session.claims).length > 0 && { claims: session.claims }),
  };
}

function signatureFits(key: PublishedKey, input: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return false;
  return verify('sha256', Buffer.from(input), { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
}
