// Secrets of an app (a provider's private key), encrypted at rest and never returned by the API.
import type { Deps } from '../deps.js';
import { reencryptRows } from '../lib/crypto/reencrypt.js';
import { appSecretContext } from './settings.js';
import { findAppSecret, listAppSecrets, writeAppSecretRow } from './store.js';

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
    async (tx, keyId) => (await listAppSecrets(tx)).filter((row) => keyRing.keyIdOf(row.value) !== keyId),
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
