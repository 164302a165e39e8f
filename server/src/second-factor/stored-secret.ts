// TOTP secrets at rest: encrypted with ENCRYPTION_KEYS, each bound to its user.
import { type KeyRing, reencryptRows } from '../../engines/keys/index.js';
import type { UserIds } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { listSecretsOfOtherKeys, replaceSecrets, type StoredSecrets } from './store.js';

type Bytes = Uint8Array<ArrayBuffer>;

export function encryptSecret(keyRing: KeyRing, ids: UserIds, secret: Uint8Array): Bytes {
  return new Uint8Array(keyRing.encrypt(secret, contextOf(ids)));
}

export function decryptSecret(keyRing: KeyRing, ids: UserIds, encrypted: Uint8Array): Buffer {
  return keyRing.decrypt(encrypted, contextOf(ids));
}

/** Re-encrypts the secrets of an app with the current encryption key; returns how many rows used another. */
export function reencryptFactors(
  { prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  return reencryptRows<StoredSecrets>(keyRing, {
    list: (last, keyId, maxRows) => listSecretsOfOtherKeys(prisma, appId, keyId, { last, maxRows }),
    replace(row) {
      const again = (encrypted: Uint8Array | null) =>
        encrypted && keyRing.reencrypt(encrypted, contextOf(row));
      return replaceSecrets(prisma, row, {
        secret: again(row.secret),
        pendingSecret: again(row.pendingSecret),
      });
    },
  });
}

function contextOf({ appId, uid }: UserIds): string {
  return `second factor ${appId} ${uid}`;
}
