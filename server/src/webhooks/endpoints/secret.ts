// The secrets that webhooks are signed with (Standard Webhooks): drawn here, shown once, kept encrypted with ENCRYPTION_KEYS.
import { Webhook as Signer } from 'standardwebhooks';
import type { Deps } from '../../deps.js';
import type { KeyRing } from '../../lib/crypto/key-ring.js';
import type { Random } from '../../lib/crypto/random.js';
import { deletePreviousSecrets, lockSecretsOfOtherKeys, replaceSecrets } from './store.js';

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

/** Encrypts every secret again under the current encryption key; returns how many webhooks had one under another. */
export async function reencryptWebhookSecrets(deps: Pick<Deps, 'prisma' | 'keyRing'>): Promise<number> {
  const { keyRing } = deps;
  return deps.prisma.$transaction(async (tx) => {
    const rows = await lockSecretsOfOtherKeys(tx, keyRing.currentKeyId);
    for (const { appId, id, secret, previousSecret } of rows) {
      const again = (old: Uint8Array) => {
        const plain = keyRing.decrypt(old, contextOf({ appId, id })).toString();
        return encryptSecret(keyRing, { appId, id }, plain);
      };
      await replaceSecrets(tx, { appId, id }, again(secret), previousSecret && again(previousSecret));
    }
    return rows.length;
  });
}

/** A part of the daily job: a secret whose time is over is of use to nobody but a thief. */
export function purgePreviousSecrets(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  return deletePreviousSecrets(deps.prisma, deps.clock.now());
}

/** The secret before it keeps its ciphertext when it is rotated, so both have the same context. */
function contextOf({ appId, id }: Ids): string {
  return `webhook ${appId} ${id}`;
}
