// The nonce that binds a provider's ID token to a sign-in. Separate from the client, so that apps without provider
// sign-in do not bundle SHA-256.
import { FoyerError } from '../errors.js';
import type { Maybe } from '../session/storage.js';
import { hex, sha256 } from './sha256.js';

export interface Nonce {
  /** The value for the service and provider A. */
  readonly raw: string;
  /** SHA-256 of `raw` in hex, for provider B. */
  readonly sha256: string;
}

export interface NonceOptions {
  /** Source of secure random bytes for platforms without `crypto.getRandomValues`, such as React Native. */
  randomBytes?: ((length: number) => Maybe<Uint8Array>) | undefined;
}

const nonceBytes = 32;

/**
 * Creates a nonce for one provider sign-in. Throws `client/invalid-argument` when the platform has no secure random
 * source and no `randomBytes` is given.
 *
 * @example
 * const nonce = await createNonce();
 * const id_token = await providerSdk.signIn({ nonce: nonce.raw });
 * await client.auth.signInWithProviderA({ id_token, nonce: nonce.raw });
 */
export async function createNonce({ randomBytes = platformBytes }: NonceOptions = {}): Promise<Nonce> {
  const raw = Array.from(await randomBytes(nonceBytes), (byte) => hex(byte, 2)).join('');
  // A short result would make the nonce guessable.
  if (raw.length !== 2 * nonceBytes) {
    throw new FoyerError('client/invalid-argument', `randomBytes must return ${nonceBytes} bytes.`);
  }
  return { raw, sha256: sha256(raw) };
}

function platformBytes(length: number): Uint8Array {
  const platform = globalThis.crypto as Crypto | undefined;
  if (platform) return platform.getRandomValues(new Uint8Array(length));
  throw new FoyerError(
    'client/invalid-argument',
    'This platform has no secure random source: pass randomBytes.',
  );
}
