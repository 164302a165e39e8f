// Checks the claims of an ID token whose signature and issuer are verified (OpenID Connect Core 3.1.3.7, and the conventions
// of the API, "Provider ID tokens").
import { EmailInput, limits, NameInput, PhotoUrlInput } from '@foyer/contract';

export type IdTokenClaims = Record<string, unknown>;

/** `expected.nonce` is the required value of the claim. */
export function checkIdToken(
  claims: IdTokenClaims,
  expected: { clientIds: readonly string[]; nonce: string },
  now: Date,
) {
  const { sub, exp, iat, nonce } = claims;
  const seconds = now.getTime() / 1_000;
  if (clientIdOf(claims, expected.clientIds) === null) return 'foreign-audience';
  // At most 255 ASCII characters by the standard; other characters could be ambiguous in a log.
  if (typeof sub !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(sub)) return 'no-subject';
  if (!isTime(exp) || exp <= seconds) return 'expired';
  if (!isTime(iat) || seconds - iat > limits.maxIdTokenAgeSeconds) return 'too-old';
  if (iat - seconds > limits.idTokenClockSeconds) return 'not-yet-issued';
  if (nonce !== expected.nonce) return 'wrong-nonce';
  return 'valid';
}

/**
 * The client id that the token was made for: null unless it, and every other that the token names, is the app's own.
 * `azp` is the client that asked for the token, which may be another one of the same app (a phone asking for the server).
 */
export function clientIdOf(claims: IdTokenClaims, clientIds: readonly string[]): string | null {
  const { aud, azp } = claims;
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const named = azp === undefined ? audiences : [...audiences, azp];
  if (audiences.length === 0 || !named.every((id) => clientIds.includes(id as string))) return null;
  if (audiences.length > 1 && azp === undefined) return null;
  return (audiences.length > 1 ? azp : audiences[0]) as string;
}

/**
 * The email in the stored form, or null; isEmailVerified is true if it is verified. Only ASCII: the Kelvin sign lower-cases to
 * a k, and the provider verified another mailbox than the one with a k.
 */
export function emailOf({ email }: IdTokenClaims): string | null {
  if (typeof email !== 'string' || /[^\0-\x7f]/.test(email)) return null;
  return EmailInput.safeParse(email).data ?? null;
}

/** Provider B sometimes sends the boolean as a string. */
export function isEmailVerified(claims: IdTokenClaims, provider: 'provider-a' | 'provider-b'): boolean {
  const { email_verified: verified } = claims;
  return verified === true || (provider === 'provider-b' && verified === 'true');
}

/** The profile for a new account; values that the fields cannot hold are null. */
export function profileOf(claims: IdTokenClaims) {
  return {
    firstName: storable(NameInput.safeParse(claims.given_name).data),
    lastName: storable(NameInput.safeParse(claims.family_name).data),
    photoUrl: storable(PhotoUrlInput.safeParse(claims.picture).data),
  };
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
function storable(text: string | null | undefined): string | null {
  return !text || text.includes('\u0000') || !text.isWellFormed() ? null : text;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
