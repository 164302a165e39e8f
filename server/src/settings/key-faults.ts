// Says which stored keys of an app cannot work: earlier versions stored them unread.
import type { AppSettings } from '@foyer/contract';
import { apnsKey, fcmServiceAccount, providerBKey, readAppSecret } from '../apps/app-secrets.js';
import type { Deps } from '../deps.js';
import { keyFault } from './app-keys.js';

export async function withKeyFaults(
  deps: Pick<Deps, 'prisma' | 'keyRing'>,
  appId: string,
  settings: AppSettings,
): Promise<AppSettings> {
  const { provider_b, push } = settings;
  const faultOf = async (name: string, isSet: boolean) => {
    const secret = isSet ? await readAppSecret(deps, appId, name) : null;
    return secret && keyFault(name, secret.toString());
  };
  return {
    ...settings,
    provider_b: { ...provider_b, private_key_fault: await faultOf(providerBKey, provider_b.private_key_set) },
    push: {
      ...push,
      fcm: {
        ...push.fcm,
        service_account_fault: await faultOf(fcmServiceAccount, push.fcm.service_account_set),
      },
      apns: { ...push.apns, private_key_fault: await faultOf(apnsKey, push.apns.private_key_set) },
    },
  };
}
