// Provider B's tokens at rest: encrypted with ENCRYPTION_KEYS, each bound to its identity.
import { type KeyRing, reencryptRows } from '../../engines/keys/index.js';
import type { Deps } from '../deps.js';
import { type IdentityKey, listTokensOfOtherKeys, replaceToken, type StoredToken } from './store.js';

export function encryptToken(keyRing: KeyRing, key: IdentityKey, token: string): Buffer {
  return keyRing.encrypt(Buffer.from(token), contextOf(key));
}

export function decryptToken(keyRing: KeyRing, key: IdentityKey, encrypted: Uint8Array): string {
  return keyRing.decrypt(encrypted, contextOf(key)).toString();
}

/** Re-encrypts the stored tokens of an app with the current encryption key; returns how many used another. */
export function reencryptProviderTokens(
  { prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  return reencryptRows<StoredToken>(keyRing, {
    list: (last, keyId, maxRows) => listTokensOfOtherKeys(prisma, appId, keyId, { last, maxRows }),
    replace: ({ refreshToken, ...key }) =>
      replaceToken(prisma, key, refreshToken, keyRing.reencrypt(refreshToken, contextOf(key))),
  });
}

function contextOf(key: IdentityKey): string {
  return `identity ${key.appId} ${key.provider} ${key.subject}`;
}
