// The secrets that webhooks are signed with (Standard Webhooks): drawn here, shown once, kept encrypted with ENCRYPTION_KEYS.
import { Webhook as Signer } from 'standardwebhooks';
import type { Deps } from '../../deps.js';
import type { KeyRing } from '../../lib/crypto/key-ring.js';
import type { Random } from '../../lib/crypto/random.js';
import { reencryptRows } from '../../lib/crypto/reencrypt.js';
import { lockSecretsOfOtherKeys, replaceSecrets } from './store.js';

type Ids = { appId: string; id: string };
export type KeptSecrets = {
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
};

const secretBytes = 32;

export function drawSecret(random: Random): string {
  return `whsec_${random.bytes(secretBytes).toString('base64')}`;
}

export function encryptSecret(keyRing: KeyRing, ids: Ids, secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyRing.encrypt(Buffer.from(secret), contextOf(ids)));
}

/** What `webhook-signature` says: a signature by each secret that is valid now, the newest first. */
export function signaturesOf(
  keyRing: KeyRing,
  ids: Ids,
  kept: KeptSecrets,
  message: { id: string; time: Date; body: string },
): string {
  const { previousSecret, previousSecretUntil } = kept;
  const overlaps = previousSecret && previousSecretUntil && previousSecretUntil > message.time;
  const secrets = overlaps ? [kept.secret, previousSecret] : [kept.secret];
  return secrets
    .map((secret) => keyRing.decrypt(secret, contextOf(ids)).toString())
    .map((secret) => new Signer(secret).sign(message.id, message.time, message.body))
    .join(' ');
}

/** Re-encrypts every webhook secret with the current encryption key; returns how many used another. */
export function reencryptWebhookSecrets(deps: Pick<Deps, 'prisma' | 'keyRing'>): Promise<number> {
  return reencryptRows(deps, lockSecretsOfOtherKeys, (tx, { secret, previousSecret, ...ids }) => {
    const again = (old: Uint8Array) => new Uint8Array(deps.keyRing.reencrypt(old, contextOf(ids)));
    return replaceSecrets(tx, ids, again(secret), previousSecret && again(previousSecret));
  });
}

/** The secret before it keeps its ciphertext when it is rotated, so both have the same context. */
function contextOf({ appId, id }: Ids): string {
  return `webhook ${appId} ${id}`;
}
