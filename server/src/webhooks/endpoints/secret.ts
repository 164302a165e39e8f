// The secrets that webhooks are signed with (Standard Webhooks): generated here, returned once, stored encrypted with
// ENCRYPTION_KEYS.
import { Webhook as Signer } from 'standardwebhooks';
import { type KeyRing, reencryptRows } from '../../../engines/keys/index.js';
import type { Deps } from '../../deps.js';
import type { Random } from '../../lib/crypto/random.js';
import { listSecretsOfOtherKeys, replaceSecrets, type WebhookIds, type WebhookWithSecrets } from './store.js';

export type StoredSecrets = {
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
};

const secretBytes = 32;

export function generateSecret(random: Random): string {
  return `whsec_${random.bytes(secretBytes).toString('base64')}`;
}

export function encryptSecret(keyRing: KeyRing, ids: WebhookIds, secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyRing.encrypt(Buffer.from(secret), contextOf(ids)));
}

/** The `webhook-signature` header: one signature per valid secret, the newest first. */
export function signaturesOf(
  keyRing: KeyRing,
  ids: WebhookIds,
  stored: StoredSecrets,
  message: { id: string; time: Date; body: string },
): string {
  const { previousSecret, previousSecretUntil } = stored;
  const overlaps = previousSecret && previousSecretUntil && previousSecretUntil > message.time;
  const secrets = overlaps ? [stored.secret, previousSecret] : [stored.secret];
  return secrets
    .map((secret) => keyRing.decrypt(secret, contextOf(ids)).toString())
    .map((secret) => new Signer(secret).sign(message.id, message.time, message.body))
    .join(' ');
}

/** Re-encrypts the webhook secrets of an app with the current encryption key; returns how many used another. */
export function reencryptWebhookSecrets(
  { prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  return reencryptRows<WebhookWithSecrets>(keyRing, {
    list: (last, keyId, maxRows) => listSecretsOfOtherKeys(prisma, appId, keyId, { last, maxRows }),
    replace(row) {
      const again = (old: Uint8Array) => keyRing.reencrypt(old, contextOf(row));
      const { secret, previousSecret } = row;
      return replaceSecrets(prisma, row, {
        secret: again(secret),
        previousSecret: previousSecret && again(previousSecret),
      });
    },
  });
}

/** A rotated secret is moved as ciphertext, so current and previous secret have the same context. */
function contextOf({ appId, id }: WebhookIds): string {
  return `webhook ${appId} ${id}`;
}
