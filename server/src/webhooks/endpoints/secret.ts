// The secrets that webhooks are signed with (Standard Webhooks): generated here, returned once, stored encrypted with
// ENCRYPTION_KEYS.
import type { Tx } from '@foyer/prisma';
import { Webhook as Signer } from 'standardwebhooks';
import type { Deps } from '../../deps.js';
import type { KeyRing } from '../../lib/crypto/key-ring.js';
import type { Random } from '../../lib/crypto/random.js';
import { reencryptRows } from '../../lib/crypto/reencrypt.js';
import { lockSecretsOfOtherKeys, replaceSecrets, type WebhookIds } from './store.js';

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
  deps: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  const lock = (tx: Tx, keyId: number) => lockSecretsOfOtherKeys(tx, appId, keyId);
  return reencryptRows(deps, lock, (tx, { secret, previousSecret, ...ids }) => {
    const again = (old: Uint8Array) => new Uint8Array(deps.keyRing.reencrypt(old, contextOf(ids)));
    return replaceSecrets(tx, ids, again(secret), previousSecret && again(previousSecret));
  });
}

/** A rotated secret is moved as ciphertext, so current and previous secret have the same context. */
function contextOf({ appId, id }: WebhookIds): string {
  return `webhook ${appId} ${id}`;
}
