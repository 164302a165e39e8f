// A private key that an app has entered, ready to sign with.
import { type CryptoKey, importPKCS8 } from 'jose';

/** The key cannot sign what it was entered for, today or tomorrow. */
export class UnusableKeyError extends Error {}

export async function privateKeyOf(pem: string, algorithm: 'ES256' | 'RS256'): Promise<CryptoKey> {
  try {
    return await importPKCS8(pem, algorithm);
  } catch {
    // The reason may quote the key.
    throw new UnusableKeyError(`the key cannot be used for ${algorithm}`);
  }
}
