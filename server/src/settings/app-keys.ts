// The keys of an app at its providers: read when they are set, and stored in one normal form.
import type { AppSettingsPatch } from '@foyer/contract';
import { readPrivateKey, readServiceAccount } from '../../engines/keys/index.js';
import {
  apnsKey,
  clientSecretName,
  fcmServiceAccount,
  providerASecret,
  providerBKey,
} from '../apps/app-secrets.js';
import { ApiError } from '../lib/api-error.js';

type ReadKey = { text: string; fault?: undefined } | { text?: undefined; fault: string };

/** The reader of each secret, by its name, which is the path of the setting. */
const readers: Record<string, (pasted: string) => ReadKey> = {
  [providerBKey]: ellipticCurveKey,
  [apnsKey]: ellipticCurveKey,
  [fcmServiceAccount](pasted) {
    const { account, fault } = readServiceAccount(pasted);
    return account === undefined ? { fault } : { text: JSON.stringify(account) };
  },
};

function ellipticCurveKey(pasted: string): ReadKey {
  const { pem, fault } = readPrivateKey(pasted, 'P-256');
  return pem === undefined ? { fault } : { text: pem };
}

/** Why a stored key cannot work, continuing "The key …"; null if it can. */
export function keyFault(name: string, stored: string): string | null {
  return readers[name]?.(stored).fault ?? null;
}

/** The patch with its keys in the normal form; throws `request/validation-failed` for one that cannot work. */
export function withReadKeys(patch: AppSettingsPatch): AppSettingsPatch {
  const fields: Record<string, string[]> = {};
  const read = (name: string, pasted: string) => {
    const { text, fault } = (readers[name] as (typeof readers)[string])(pasted);
    if (fault !== undefined) fields[name] = [fault];
    return text ?? pasted;
  };
  const { provider_b, push } = patch;
  const result: AppSettingsPatch = {
    ...patch,
    ...(provider_b?.private_key && {
      provider_b: { ...provider_b, private_key: read(providerBKey, provider_b.private_key) },
    }),
    ...(push && {
      push: {
        ...push,
        ...(push.fcm?.service_account && {
          fcm: { service_account: read(fcmServiceAccount, push.fcm.service_account) },
        }),
        ...(push.apns?.private_key && {
          apns: { ...push.apns, private_key: read(apnsKey, push.apns.private_key) },
        }),
      },
    }),
  };
  if (Object.keys(fields).length > 0) throw new ApiError('request/validation-failed', { fields });
  return result;
}

/** The write-only settings of a patch, by the name of their secret; null removes. */
export function secretsIn(patch: AppSettingsPatch): Map<string, string | null> {
  const ofProviders = Object.entries(patch.providers ?? {}).map(
    ([id, provider]) => [clientSecretName(id), provider?.client_secret] as const,
  );
  const given: (readonly [string, string | null | undefined])[] = [
    ...ofProviders,
    [providerASecret, patch.provider_a?.client_secret],
    [providerBKey, patch.provider_b?.private_key],
    [fcmServiceAccount, patch.push?.fcm?.service_account],
    [apnsKey, patch.push?.apns?.private_key],
  ];
  return new Map(given.filter((entry): entry is readonly [string, string | null] => entry[1] !== undefined));
}
