// The requests to provider B: exchange an authorization code, revoke a token, check the client secret. The client secret is a JWT
// signed with the app's private key.
import { decodeJwt, SignJWT } from 'jose';
import { privateKeyOf } from '../../engines/keys/index.js';
import { callProvider, type ProviderAnswer } from '../../engines/safe-fetch/index.js';
import { providerBKey, readAppSecret } from '../apps/app-secrets.js';
import type { Deps } from '../deps.js';
import { jsonIn } from '../lib/json-rules.js';
import { secondsOf } from '../lib/timestamp.js';
import type { App } from '../model/app.js';

type ClientOfProviderB = { clientId: string; clientSecret: string };

const secretSeconds = 300;

/** Returns true when the app has the settings for a client secret. */
export function canCallProviderB(app: App): boolean {
  const { team_id: teamId, key_id: keyId, private_key_set: keySet } = app.settings.provider_b;
  return teamId !== null && keyId !== null && keySet;
}

/** Returns null while the app has no private key for the provider. */
export async function clientSecretOf(
  deps: Pick<Deps, 'prisma' | 'keyRing' | 'clock' | 'config'>,
  app: App,
  clientId: string,
): Promise<string | null> {
  const privateKey = canCallProviderB(app) ? await readAppSecret(deps, app.id, providerBKey) : null;
  return privateKey && signClientSecret(deps, app, clientId, privateKey);
}

/** Signs for an app that has the settings of provider B. */
export async function signClientSecret(
  deps: Pick<Deps, 'clock' | 'config'>,
  app: App,
  clientId: string,
  privateKey: Buffer,
): Promise<string> {
  const { team_id: teamId, key_id: keyId } = app.settings.provider_b;
  const now = secondsOf(deps.clock.now());
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: String(keyId) })
    .setIssuer(String(teamId))
    .setSubject(clientId)
    .setAudience(deps.config.providerB.issuers[0])
    .setIssuedAt(now)
    .setExpirationTime(now + secretSeconds)
    .sign(await privateKeyOf(privateKey.toString(), 'ES256'));
}

/** The provider does not accept the settings of the app: its team id, key id, key and client id do not belong together. */
export class ClientRejectedError extends Error {}

type ExchangedTokens = { subject: unknown; audience: unknown; refreshToken: string | null };

/** Returns null when the provider refuses the code for good. Throws a ClientRejectedError, or when the call is to be repeated. */
export async function exchangeAtProviderB(
  deps: Pick<Deps, 'fetch' | 'config' | 'logger'>,
  client: ClientOfProviderB,
  code: string,
): Promise<ExchangedTokens | null> {
  const answer = await requestTokens(deps, client, code);
  if (isRetryable(answer)) throw new Error(`provider B answered ${answer.status}`);
  if (answer.status !== 200) {
    deps.logger.warn({ status: answer.status, error: errorOf(answer) }, 'provider B refused a code');
    if (isOfClient(errorOf(answer))) throw new ClientRejectedError(`provider B answered ${errorOf(answer)}`);
    return null;
  }
  const tokens = tokensIn(answer);
  if (typeof tokens.id_token !== 'string')
    throw new Error('provider B sent no identity token with a refresh token');
  // Its signature needs no check: it comes straight from the provider (OpenID Connect Core 3.1.3.7, step 6).
  const { sub, aud } = decodeJwt(tokens.id_token);
  return {
    subject: sub,
    audience: aud,
    refreshToken: typeof tokens.refresh_token === 'string' ? tokens.refresh_token : null,
  };
}

/**
 * Whether the provider accepts the client secret, found out with a code that it never issued: it rejects the client before
 * it looks at the code. Otherwise the status and error code of its response.
 */
export async function tryClientSecret(
  deps: Pick<Deps, 'fetch' | 'config'>,
  client: ClientOfProviderB,
): Promise<'accepted' | 'rejected' | { status: number; error: string }> {
  const answer = await requestTokens(deps, client, 'a-code-that-was-never-issued');
  const error = errorOf(answer);
  if (answer.status < 500 && error === 'invalid_grant') return 'accepted';
  if (answer.status < 500 && error === 'invalid_client') return 'rejected';
  return { status: answer.status, error };
}

/** Throws when the request is to be retried. A token that the provider does not know needs no revocation. */
export async function revokeAtProviderB(
  deps: Pick<Deps, 'fetch' | 'config' | 'logger'>,
  client: ClientOfProviderB,
  refreshToken: string,
): Promise<void> {
  const answer = await callProvider(deps, deps.config.providerB.revokeUrl, {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    token: refreshToken,
    token_type_hint: 'refresh_token',
  });
  if (answer.status === 200) return;
  const error = errorOf(answer);
  // Any other error, such as an outdated client secret, can be corrected by the app.
  if (isOfClient(error)) throw new ClientRejectedError(`provider B answered ${answer.status} ${error}`);
  if (error !== 'invalid_grant' && error !== 'invalid_token') {
    throw new Error(`provider B answered ${answer.status} ${error}`);
  }
  deps.logger.info({ error }, 'provider B does not know a token that was to be revoked');
}

function requestTokens(
  deps: Pick<Deps, 'fetch' | 'config'>,
  client: ClientOfProviderB,
  code: string,
): Promise<ProviderAnswer> {
  return callProvider(deps, deps.config.providerB.tokenUrl, {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    code,
    grant_type: 'authorization_code',
  });
}

function tokensIn({ body }: ProviderAnswer): { id_token?: unknown; refresh_token?: unknown } {
  const tokens = jsonIn(body);
  if (tokens === undefined) throw new Error('provider B answered with something that is not JSON');
  return tokens as { id_token?: unknown; refresh_token?: unknown };
}

function isOfClient(error: string): boolean {
  return error === 'invalid_client' || error === 'unauthorized_client';
}

function isRetryable(answer: ProviderAnswer): boolean {
  return answer.status >= 500 || answer.status === 429 || answer.status === 408;
}

/** Returns the error code only (RFC 6749, section 5.2): the rest of the response may contain secrets. */
function errorOf(answer: ProviderAnswer): string {
  const name = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(answer.body);
  return name?.[1] ?? 'without a name';
}
