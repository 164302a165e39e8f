// Merges settings: objects by key at every depth, arrays, scalars and texts of mails by replacement; in the maps `mail.texts`
// and `providers` null removes an entry.
import {
  type AppSettings,
  type AppSettingsPatch,
  limits,
  mailPurposes,
  settingsWithScope,
  withOneIssuer,
} from '@foyer/contract';
import { type Fields, merge } from '../lib/json-rules.js';

/** The names of the settings of `sign-in:manage` whose value the patch changes; a new secret is always a change. */
export function changedSignInSettings(
  before: AppSettings,
  after: AppSettings,
  patch: AppSettingsPatch,
): string[] {
  const named = settingsWithScope(patch, 'sign-in:manage');
  return named.filter((name) => {
    if (name === 'provider_a' && patch.provider_a?.client_secret !== undefined) return true;
    if (name === 'provider_b' && patch.provider_b?.private_key !== undefined) return true;
    if (name === 'providers' && hasClientSecret(patch)) return true;
    return JSON.stringify(valueAt(before, name)) !== JSON.stringify(valueAt(after, name));
  });
}

function hasClientSecret({ providers }: AppSettingsPatch): boolean {
  return Object.values(providers ?? {}).some((provider) => provider?.client_secret !== undefined);
}

function valueAt(settings: AppSettings, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], settings);
}

export function mergedSettings(settings: AppSettings, patch: AppSettingsPatch): AppSettings {
  const { private_key: providerBSecret, services_id, bundle_id, ...providerB } = patch.provider_b ?? {};
  const { client_secret: providerASecret, ...providerA } = patch.provider_a ?? {};
  const { private_key: apnsSecret, ...apns } = patch.push?.apns ?? {};
  const account = patch.push?.fcm?.service_account;
  const merged = merge(settings, {
    ...patch,
    provider_a: {
      ...providerA,
      ...(providerASecret !== undefined && { client_secret_set: providerASecret !== null }),
    },
    provider_b: {
      ...{ services_ids: services_id, bundle_ids: bundle_id },
      ...providerB,
      ...shownAsSet(providerBSecret),
    },
    providers: providersIn(settings, patch),
    push: {
      ...patch.push,
      apns: { ...apns, ...shownAsSet(apnsSecret) },
      fcm:
        account === undefined
          ? undefined
          : {
              project_id: account && JSON.parse(account).project_id,
              service_account_set: account !== null,
              service_account_fault: null,
            },
    },
  }) as AppSettings;
  return {
    ...merged,
    providers: withoutNulls(merged.providers),
    mail: { ...merged.mail, texts: textsIn(settings, patch) },
  };
}

/** A text is replaced as a whole, so that one without a button has none. */
function textsIn(settings: AppSettings, { mail }: AppSettingsPatch): AppSettings['mail']['texts'] {
  const before = settings.mail.texts;
  const after = { ...before };
  for (const purpose of mailPurposes) {
    const given = mail?.texts?.[purpose];
    if (given === null) delete after[purpose];
    else if (given !== undefined) after[purpose] = withoutNulls({ ...before[purpose], ...given });
  }
  return after;
}

/** The providers of a patch as they are stored: with whether a client secret is set, in place of the secret. */
function providersIn(settings: AppSettings, { providers }: AppSettingsPatch) {
  if (providers === undefined) return undefined;
  const entries = Object.entries(providers).map(([id, given]) => {
    if (given === null) return [id, null] as const;
    const { client_secret: secret, scopes = null, ...provider } = given;
    const before = Object.hasOwn(settings.providers, id) ? settings.providers[id] : undefined;
    const issuer = keptIssuer(before, provider);
    const keeps = before?.client_secret_set === true && keepsClientSecret(before, { ...provider, issuer });
    const isSet = secret === undefined ? keeps : secret !== null;
    return [id, { ...provider, issuer, scopes, client_secret_set: isSet }] as const;
  });
  return Object.fromEntries(entries);
}

/** Users are stored by the issuer, so one that an earlier release stored keeps its spelling. */
function keptIssuer(before: ProviderSetting | undefined, after: Issuing): string {
  const isSame = before?.kind === after.kind && withOneIssuer(before).issuer === after.issuer;
  return isSame ? before.issuer : after.issuer;
}

type ProviderSetting = AppSettings['providers'][string];
type Issuing = Pick<ProviderSetting, 'kind' | 'issuer'>;

/** Otherwise whoever may change the setting could have the secret, which is never shown, sent to a server of theirs. */
function keepsClientSecret(before: ProviderSetting, after: Issuing): boolean {
  return before.kind === after.kind && before.issuer === after.issuer;
}

/** The providers whose stored client secret is to be removed. */
export function providersWithoutSecret(before: AppSettings, after: AppSettings): string[] {
  return Object.entries(before.providers)
    .filter(([id, { client_secret_set }]) => client_secret_set && !hasSecret(after, id))
    .map(([id]) => id);
}

function hasSecret({ providers }: AppSettings, id: string): boolean {
  return Object.hasOwn(providers, id) && providers[id]?.client_secret_set === true;
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

/** Whether a patch would add a provider beyond the limit. */
export function hasTooManyProviders(before: AppSettings, after: AppSettings): boolean {
  const count = Object.keys(after.providers).length;
  return count > limits.providersPerApp && count > Object.keys(before.providers).length;
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
  return secret !== undefined && { private_key_set: secret !== null, private_key_fault: null };
}

function withoutNulls<Value>(map: Record<string, Value | null>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(map).filter((entry): entry is [string, Value] => entry[1] !== null),
  );
}
