// Secrets of an app (a provider's private key), encrypted at rest and never returned by the API.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { KeyRing } from '../lib/crypto/key-ring.js';
import { reencryptRows } from '../lib/crypto/reencrypt.js';
import { appSecretContext } from './settings.js';
import { findAppSecret, listAppSecrets, lockAppRow, writeAppSecretRow } from './store.js';

export async function readAppSecret(
  deps: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
  name: string,
): Promise<Buffer | null> {
  const value = await findAppSecret(deps.prisma, appId, name);
  return value && deps.keyRing.decrypt(value, appSecretContext(appId, name));
}

/** Re-encrypts every app secret with the current encryption key; returns how many used another. */
export function reencryptAppSecrets(deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing'>): Promise<number> {
  const { keyRing } = deps;
  return reencryptRows(
    deps,
    (tx, keyId) => lockSecretsOfOtherKeys(tx, keyRing, keyId),
    (tx, { appId, name, value }) =>
      writeAppSecretRow(
        tx,
        appId,
        name,
        keyRing.reencrypt(value, appSecretContext(appId, name)),
        deps.clock.now(),
      ),
  );
}

/** Locks their apps, as a change of settings does: a secret that is replaced or removed at the same time would return. */
async function lockSecretsOfOtherKeys(tx: Tx, keyRing: KeyRing, keyId: number) {
  const others = async () =>
    (await listAppSecrets(tx)).filter(({ value }) => keyRing.keyIdOf(value) !== keyId);
  const appIds = new Set((await others()).map(({ appId }) => appId));
  for (const appId of [...appIds].sort()) await lockAppRow(tx, appId);
  return (await others()).filter(({ appId }) => appIds.has(appId));
}
