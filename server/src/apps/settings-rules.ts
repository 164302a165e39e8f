// Merges settings (conventions of the API): objects by key at every depth, arrays and scalars by replacement; in the maps
// (`rate_limits`, `mail.texts`) null removes an entry.
import { type AppSettings, type AppSettingsPatch, limits, mailPurposes } from '@foyer/contract';
import { isObject } from '../lib/json-rules.js';

export const providerBKey = 'provider_b.private_key';
export const fcmServiceAccount = 'push.fcm.service_account';
export const apnsKey = 'push.apns.private_key';

/** The write-only settings of a patch, by the name of their secret; null removes. */
export function secretsIn(patch: AppSettingsPatch): Map<string, string | null> {
  const given: [string, string | null | undefined][] = [
    [providerBKey, patch.provider_b?.private_key],
    [fcmServiceAccount, patch.push?.fcm?.service_account],
    [apnsKey, patch.push?.apns?.private_key],
  ];
  return new Map(given.filter((entry): entry is [string, string | null] => entry[1] !== undefined));
}

/** Whether the patch changes credentials, or the client ids that they belong to. */
export function changesCredentials({ provider_a, provider_b, push }: AppSettingsPatch): boolean {
  return provider_a !== undefined || provider_b !== undefined || push !== undefined;
}

export function mergedSettings(settings: AppSettings, patch: AppSettingsPatch): AppSettings {
  const { private_key: providerBSecret, ...providerB } = patch.provider_b ?? {};
  const { private_key: apnsSecret, ...apns } = patch.push?.apns ?? {};
  const account = patch.push?.fcm?.service_account;
  const merged = merge(settings, {
    ...patch,
    provider_b: { ...providerB, ...shownAsSet(providerBSecret) },
    push: {
      ...patch.push,
      apns: { ...apns, ...shownAsSet(apnsSecret) },
      fcm:
        account === undefined
          ? undefined
          : {
              project_id: account && JSON.parse(account).project_id,
              service_account_set: account !== null,
            },
    },
  }) as AppSettings;
  return {
    ...merged,
    rate_limits: withoutNulls(merged.rate_limits),
    mail: {
      ...merged.mail,
      texts: Object.fromEntries(
        Object.entries(withoutNulls(merged.mail.texts)).map(([purpose, texts]) => [
          purpose,
          withoutNulls(texts),
        ]),
      ),
    },
  };
}

/**
 * The purposes whose texts would have too many languages. Every request reads the settings of its app, so they must not
 * grow with each patch.
 */
export function purposesWithTooManyTexts(before: AppSettings, after: AppSettings): string[] {
  return mailPurposes.filter((purpose) => {
    const languages = Object.keys(after.mail.texts[purpose] ?? {}).length;
    const languagesBefore = Object.keys(before.mail.texts[purpose] ?? {}).length;
    return languages > limits.languagesPerMail && languages > languagesBefore;
  });
}

/**
 * The deprecation time of v1 (RFC 9745): when its shutdown date was first set, or that date if it was already past. Moving
 * the date does not change it. Null without one.
 */
export function deprecatedAt(settings: AppSettings, sunsetAt: string | null, now: string): string | null {
  if (sunsetAt === null) return null;
  const since = settings.v1_deprecated_at ?? now;
  return since < sunsetAt ? since : sunsetAt;
}

function shownAsSet(secret: string | null | undefined) {
  return secret !== undefined && { private_key_set: secret !== null };
}

export function merge(base: unknown, patch: unknown): unknown {
  if (!isObject(base) || !isObject(patch)) return patch;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value !== undefined) merged.set(key, merged.has(key) ? merge(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

function withoutNulls<T extends object>(map: T): T {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null)) as T;
}
