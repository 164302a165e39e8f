// The nonce that ties a provider's ID token to the sign-in that asked for it. A function of the package and not of the
// client, so that apps without such a sign-in do not carry SHA-256.
import { FoyerError } from './errors.js';
import { hex, sha256 } from './sha256.js';
import type { Maybe } from './storage.js';

export interface Nonce {
  /** For the service, and for provider A. */
  readonly raw: string;
  /** The SHA-256 of `raw` in hex, for provider B. */
  readonly sha256: string;
}

export interface NonceOptions {
  /** Secure random bytes where the platform has no `crypto.getRandomValues` (React Native, for example). */
  randomBytes?: ((length: number) => Maybe<Uint8Array>) | undefined;
}

const nonceBytes = 32;

/**
 * Makes a nonce for one sign-in with a provider.
 *
 * @example
 * const nonce = await createNonce();
 * const idToken = await providerSdk.signIn({ nonce: nonce.raw });
 * await client.auth.signInWithProviderA({ idToken, nonce: nonce.raw });
 */
export async function createNonce({ randomBytes = platformBytes }: NonceOptions = {}): Promise<Nonce> {
  const raw = Array.from(await randomBytes(nonceBytes), (byte) => hex(byte, 2)).join('');
  // A nonce that can be guessed would be worse than none.
  if (raw.length !== 2 * nonceBytes) {
    throw new FoyerError('client/invalid-argument', `randomBytes has to give ${nonceBytes} bytes.`);
  }
  return { raw, sha256: sha256(raw) };
}

function platformBytes(length: number): Uint8Array {
  const platform = globalThis.crypto as Crypto | undefined;
  if (platform) return platform.getRandomValues(new Uint8Array(length));
  throw new FoyerError(
    'client/invalid-argument',
    'This platform has no secure random bytes: give randomBytes.',
  );
}
