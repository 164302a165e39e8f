// Secrets of an app (a provider's private key), encrypted at rest and never returned by the API.
import type { Db } from '@foyer/prisma';
import { reencryptRows } from '../../engines/keys/index.js';
import type { Deps } from '../deps.js';
import {
  type AppSecretKey,
  findAppSecret,
  listSecretsOfOtherKeys,
  type NamedSecret,
  replaceAppSecret,
  writeAppSecretRow,
} from './store.js';

/** The names of the secrets, which are the paths of the settings. */
export const providerASecret = 'provider_a.client_secret';
export const providerBKey = 'provider_b.private_key';
export const fcmServiceAccount = 'push.fcm.service_account';
export const apnsKey = 'push.apns.private_key';
export const webPushKey = 'push.web_push.private_key';

/** The client secret of a provider of the settings. */
export function clientSecretName(provider: string): string {
  return `providers.${provider}.client_secret`;
}

export async function readAppSecret(
  deps: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
  name: string,
): Promise<Buffer | null> {
  const value = await findAppSecret(deps.prisma, appId, name);
  return value && deps.keyRing.decrypt(value, appSecretContext(appId, name));
}

/** Re-encrypts the secrets of an app with the current encryption key; returns how many used another. */
export function reencryptAppSecrets(
  { prisma, keyRing }: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
): Promise<number> {
  return reencryptRows<NamedSecret>(keyRing, {
    list: (last, keyId, maxRows) => listSecretsOfOtherKeys(prisma, appId, keyId, { last, maxRows }),
    replace: ({ name, value }) =>
      replaceAppSecret(
        prisma,
        { appId, name },
        value,
        keyRing.reencrypt(value, appSecretContext(appId, name)),
      ),
  });
}

/** Encrypts and writes a secret; null removes it. */
export async function writeAppSecret(
  db: Db,
  deps: Pick<Deps, 'clock' | 'keyRing'>,
  key: AppSecretKey,
  secret: string | null,
): Promise<void> {
  const context = appSecretContext(key.appId, key.name);
  const value = secret === null ? null : deps.keyRing.encrypt(Buffer.from(secret), context);
  await writeAppSecretRow(db, key, { value, now: deps.clock.now() });
}

function appSecretContext(appId: string, name: string): string {
  return `app-secret ${appId} ${name}`;
}
