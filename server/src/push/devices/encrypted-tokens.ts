// Push tokens at rest: looked up by hash, encrypted with ENCRYPTION_KEYS and bound to the hash.
import type { Deps } from '../../deps.js';
import { sha256 } from '../../lib/crypto/digest.js';
import type { KeyRing } from '../../lib/crypto/key-ring.js';
import { listTokensOfOtherKeys, replaceToken, type TokenKey } from './store.js';
import type { SubscriptionKeys } from './token-rules.js';

export type PushToken = { token: string; keys: SubscriptionKeys | null };

const batchRows = 500;

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

/** Re-encrypts every stored token with the current encryption key; returns how many used another. */
export async function reencryptPushTokens(deps: Pick<Deps, 'prisma' | 'keyRing'>): Promise<number> {
  const { prisma, keyRing } = deps;
  let count = 0;
  for (;;) {
    const rows = await listTokensOfOtherKeys(prisma, keyRing.currentKeyId, batchRows);
    for (const { encrypted, ...key } of rows) {
      // Skips the row of a device that is registered concurrently.
      await replaceToken(prisma, key, encrypted, keyRing.reencrypt(encrypted, contextOf(key)));
    }
    count += rows.length;
    if (rows.length < batchRows) return count;
  }
}

function contextOf({ appId, provider, tokenHash }: TokenKey): string {
  return `push-device ${appId} ${provider} ${Buffer.from(tokenHash).toString('hex')}`;
}
