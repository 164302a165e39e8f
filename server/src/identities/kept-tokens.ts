// Provider B's tokens at rest: encrypted with ENCRYPTION_KEYS, each bound to the identity that it is kept with.
import type { Deps } from '../deps.js';
import type { KeyRing } from '../lib/crypto/key-ring.js';
import { type IdentityKey, lockTokensOfOtherKeys, replaceToken } from './store.js';

export function encryptToken(keyRing: KeyRing, key: IdentityKey, token: string): Buffer {
  return keyRing.encrypt(Buffer.from(token), contextOf(key));
}

export function decryptToken(keyRing: KeyRing, key: IdentityKey, encrypted: Uint8Array): string {
  return keyRing.decrypt(encrypted, contextOf(key)).toString();
}

/** Encrypts every kept token again under the current encryption key; returns how many were under another. */
export async function reencryptProviderTokens(deps: Pick<Deps, 'prisma' | 'keyRing'>): Promise<number> {
  const { keyRing } = deps;
  return deps.prisma.$transaction(async (tx) => {
    const rows = await lockTokensOfOtherKeys(tx, keyRing.currentKeyId);
    for (const { refreshToken, ...key } of rows) {
      await replaceToken(tx, key, encryptToken(keyRing, key, decryptToken(keyRing, key, refreshToken)));
    }
    return rows.length;
  });
}

function contextOf(key: IdentityKey): string {
  return `identity ${key.appId} ${key.provider} ${key.subject}`;
}
