// Provider B's tokens at rest: encrypted with ENCRYPTION_KEYS, each bound to its identity.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { KeyRing } from '../lib/crypto/key-ring.js';
import { reencryptRows } from '../lib/crypto/reencrypt.js';
import { type IdentityKey, lockTokensOfOtherKeys, replaceToken } from './store.js';

export function encryptToken(keyRing: KeyRing, key: IdentityKey, token: string): Buffer {
  return keyRing.encrypt(Buffer.from(token), contextOf(key));
}

export function decryptToken(keyRing: KeyRing, key: IdentityKey, encrypted: Uint8Array): string {
  return keyRing.decrypt(encrypted, contextOf(key)).toString();
}

/** Re-encrypts the stored tokens of an app with the current encryption key; returns how many used another. */
export function reencryptProviderTokens(
  deps: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  const lock = (tx: Tx, keyId: number, maxRows: number) => lockTokensOfOtherKeys(tx, appId, keyId, maxRows);
  return reencryptRows(deps, lock, (tx, { refreshToken, ...key }) =>
    replaceToken(tx, key, deps.keyRing.reencrypt(refreshToken, contextOf(key))),
  );
}

function contextOf(key: IdentityKey): string {
  return `identity ${key.appId} ${key.provider} ${key.subject}`;
}
