// How settings merge (conventions of the API): objects key by key at every depth, arrays and scalars replace; in the maps
// (`rate_limits`, `mail.texts`) null removes an entry.
import type { AppSettings, AppSettingsPatch } from '@foyer/contract';

export function mergedSettings(settings: AppSettings, patch: AppSettingsPatch): AppSettings {
  const { private_key: _written, ...providerB } = patch.provider_b ?? {};
  const merged = merge(settings, {
    ...patch,
    ...(patch.provider_b && { provider_b: providerB }),
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

function merge(base: unknown, patch: unknown): unknown {
  if (!isObject(base) || !isObject(patch)) return patch;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value !== undefined) merged.set(key, merged.has(key) ? merge(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutNulls<T extends object>(map: T): T {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null)) as T;
}
