// Secrets that an app entrusts to the service, encrypted at rest and never returned by the API.
import type { Deps } from '../deps.js';
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

/** Encrypts every secret again under the current encryption key; returns how many were under another. */
export async function reencryptAppSecrets(deps: Pick<Deps, 'prisma' | 'clock' | 'keyRing'>): Promise<number> {
  const { keyRing } = deps;
  return deps.prisma.$transaction(async (tx) => {
    const old = (await listAppSecrets(tx)).filter(
      (row) => keyRing.keyIdOf(row.value) !== keyRing.currentKeyId,
    );
    for (const { appId, name, value } of old) {
      const context = appSecretContext(appId, name);
      const again = keyRing.encrypt(keyRing.decrypt(value, context), context);
      await writeAppSecretRow(tx, appId, name, again, deps.clock.now());
    }
    return old.length;
  });
}
