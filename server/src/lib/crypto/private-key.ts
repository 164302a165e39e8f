// Imports a private key from an app's settings.
import { type CryptoKey, importPKCS8 } from 'jose';

/** The key is permanently unusable for its algorithm. */
export class UnusableKeyError extends Error {}

export async function privateKeyOf(pem: string, algorithm: 'ES256' | 'RS256'): Promise<CryptoKey> {
  try {
    return await importPKCS8(pem, algorithm);
  } catch {
    // The reason may quote the key.
    throw new UnusableKeyError(`the key cannot be used for ${algorithm}`);
  }
}
