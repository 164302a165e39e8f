// Imports a private key from an app's settings.
import { type CryptoKey, importPKCS8 } from 'jose';
import { readPrivateKey } from './pasted-key.js';

/** The key is permanently unusable for its algorithm. */
export class UnusableKeyError extends Error {}

/** Earlier versions stored keys as they were entered. */
export async function privateKeyOf(pem: string, algorithm: 'ES256' | 'RS256'): Promise<CryptoKey> {
  const key = readPrivateKey(pem, algorithm === 'ES256' ? 'P-256' : 'RSA');
  if (key.fault !== undefined) throw new UnusableKeyError(`the key ${key.fault}`);
  try {
    return await importPKCS8(key.pem, algorithm);
  } catch {
    // The reason may quote the key.
    throw new UnusableKeyError(`the key cannot be used for ${algorithm}`);
  }
}
