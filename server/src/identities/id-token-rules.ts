// Checks the claims of an ID token whose signature and issuer are verified (OpenID Connect Core 3.1.3.7).
import { EmailInput, limits, NameInput, PhotoUrlInput, type TokenRefusal } from '@foyer/contract';
import { namesOf } from '../lib/full-name.js';

export type IdTokenClaims = Record<string, unknown>;

/** `expected.nonce` is the required value of the claim. */
export function checkIdToken(
  claims: IdTokenClaims,
  expected: { clientIds: readonly string[]; nonce: string },
  now: Date,
): TokenRefusal | 'valid' {
  const { sub, exp, iat, nonce } = claims;
  const seconds = now.getTime() / 1_000;
  const clientId = clientIdOf(claims, expected.clientIds);
  if (clientId === null) return 'wrong-audience';
  if (!isAuthorizedParty(claims, clientId, expected.clientIds)) return 'wrong-authorized-party';
  if (!isSubject(sub)) return 'no-subject';
  if (!isTime(exp) || exp <= seconds) return 'expired';
  if (!isTime(iat) || seconds - iat > limits.maxIdTokenAgeSeconds) return 'too-old';
  if (iat - seconds > limits.idTokenClockSeconds) return 'not-yet-valid';
  if (nonce === undefined || nonce === '') return 'no-nonce';
  if (nonce !== expected.nonce) return 'wrong-nonce';
  return 'valid';
}

/**
 * The client id that the token was made for; null unless it is the app's own. A token for several is for the one that `azp`
 * names: Zitadel adds the project and its other applications to every token, and the app must not have to trust their tokens
 * for its own to be accepted.
 */
export function clientIdOf({ aud, azp }: IdTokenClaims, clientIds: readonly string[]): string | null {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const clientId = audiences.length > 1 ? azp : audiences[0];
  const isOurs = typeof clientId === 'string' && clientIds.includes(clientId) && audiences.includes(clientId);
  return isOurs && audiences.every((audience) => typeof audience === 'string') ? clientId : null;
}

/**
 * Whether the client that asked for the token may do so. On Android that is another client than the one the token is made for:
 * the provider has one for each signing certificate, and lets those of a project ask for tokens for each other
 * (https://developers.google.com/identity/openid-connect/openid-connect, `azp`). The certificates of developers' machines and
 * of app stores need no registration here, as the audience says whom the provider made the token for. A client id of Google
 * begins with the number of its project, so a client of another project is recognized; no provider issues such a token.
 */
function isAuthorizedParty({ azp }: IdTokenClaims, clientId: string, clientIds: readonly string[]): boolean {
  if (azp === undefined) return true;
  if (typeof azp !== 'string' || azp === '') return false;
  return clientIds.includes(azp) || projectOf(azp) === projectOf(clientId);
}

/** Returns null for client ids of other providers, which name no project. */
function projectOf(clientId: string): string | null {
  return /^(\d+)(-[^.]+)?\.apps\.googleusercontent\.com$/.exec(clientId)?.[1] ?? null;
}

/**
 * The email in the stored form, or null; isEmailVerified is true if it is verified. Only its case and the spaces around it are
 * changed: the Kelvin sign lower-cases to a k, and the provider verified another mailbox than the one with a k.
 */
export function emailOf({ email }: IdTokenClaims): string | null {
  if (typeof email !== 'string' || /[^\0-\x7f]/.test(email)) return null;
  const { data: stored = null } = EmailInput.safeParse(email);
  return stored === email.trim().toLowerCase() ? stored : null;
}

/** Apple sometimes sends the boolean as a string, and Amazon Cognito and LinkedIn do; Google never has. */
export function isEmailVerified(claims: IdTokenClaims, provider: string): boolean {
  const { email_verified: verified } = claims;
  return verified === true || (provider !== 'provider-a' && verified === 'true');
}

/**
 * The profile for a new account; values that the fields cannot hold are null. GitHub has the full name only, and so do the tokens of
 * Microsoft and others as they are configured at first.
 */
export function profileOf(claims: IdTokenClaims) {
  const given = nameIn(claims.given_name);
  const family = nameIn(claims.family_name);
  const full = namesOf(typeof claims.name === 'string' ? claims.name : null);
  const isInFullOnly = given === null && family === null;
  return {
    firstName: isInFullOnly ? nameIn(full.firstName) : given,
    lastName: isInFullOnly ? nameIn(full.lastName) : family,
    photoUrl: storable(PhotoUrlInput.safeParse(claims.picture).data),
  };
}

function nameIn(claim: unknown): string | null {
  return storable(NameInput.safeParse(claim).data);
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
function storable(text: string | null | undefined): string | null {
  return !text || text.includes('\u0000') || !text.isWellFormed() ? null : text;
}

/**
 * The standard allows at most 255 ASCII characters; others could be ambiguous in a log. Some providers use the name of the user,
 * in which there are spaces.
 */
export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(value);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
