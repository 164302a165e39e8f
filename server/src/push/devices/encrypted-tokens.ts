// Push tokens at rest: looked up by hash, encrypted with ENCRYPTION_KEYS and bound to the hash.
import { type KeyRing, reencryptRows } from '../../../engines/keys/index.js';
import type { Deps } from '../../deps.js';
import { sha256 } from '../../lib/crypto/digest.js';
import { listTokensOfOtherKeys, replaceToken, type StoredToken, type TokenKey } from './store.js';
import type { SubscriptionKeys } from './token-rules.js';

export type PushToken = { token: string; keys: SubscriptionKeys | null };

export function hashToken(token: string): Buffer {
  return sha256(token);
}

export function encryptToken(keyRing: KeyRing, key: TokenKey, { token, keys }: PushToken): Buffer {
  const parts = [
    token,
    ...(keys ? [keys.p256dh.toString('base64url'), keys.auth.toString('base64url')] : []),
  ];
  return keyRing.encrypt(Buffer.from(JSON.stringify(parts)), contextOf(key));
}

export function decryptToken(keyRing: KeyRing, key: TokenKey, encrypted: Uint8Array): PushToken {
  const parts = JSON.parse(keyRing.decrypt(encrypted, contextOf(key)).toString());
  const [token, p256dh, auth] = parts as [string, string?, string?];
  if (p256dh === undefined || auth === undefined) return { token, keys: null };
  return { token, keys: { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') } };
}

/** Re-encrypts the stored tokens of an app with the current encryption key; returns how many used another. */
export function reencryptPushTokens(
  { prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  return reencryptRows<StoredToken>(keyRing, {
    list: (last, keyId, maxRows) => listTokensOfOtherKeys(prisma, appId, keyId, { last, maxRows }),
    replace: ({ encrypted, ...key }) =>
      replaceToken(prisma, key, encrypted, keyRing.reencrypt(encrypted, contextOf(key))),
  });
}

function contextOf({ appId, provider, tokenHash }: TokenKey): string {
  return `push-device ${appId} ${provider} ${Buffer.from(tokenHash).toString('hex')}`;
}
