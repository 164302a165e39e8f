// The settings of an app as earlier versions stored them, in today's form. They are stored in it at the next change: while
// instances of two versions run side by side, the older ones still read what they wrote.
import { type Fields, isObject, merge } from '../lib/json-rules.js';
import type { MoreSettings } from '../model/app.js';
import { defaultSettings } from './default-settings.js';

/** Completes settings at every depth: settings stored by an earlier version lack the keys that were added since. */
export function settingsOf(stored: unknown): MoreSettings {
  return merge(defaultSettings(), isObject(stored) ? inTodaysForm(stored) : {}) as MoreSettings;
}

/**
 * Earlier versions stored one client id for each platform, or null, and trimmed no identifier. They had the setting
 * `unproven_credentials`, and neither scopes nor a secret for a provider.
 */
function inTodaysForm({ unproven_credentials: _, ...stored }: Fields): Fields {
  const { provider_a: a, provider_b: b, providers, push } = stored;
  const changed: Fields = { ...stored };
  if (isObject(a) && isObject(a.client_ids)) {
    changed.provider_a = { ...a, client_ids: mapped(a.client_ids, listOf) };
  }
  if (isObject(b)) {
    const { services_id, bundle_id, ...rest } = b;
    changed.provider_b = {
      ...(services_id !== undefined && { services_ids: listOf(services_id) }),
      ...(bundle_id !== undefined && { bundle_ids: listOf(bundle_id) }),
      ...mapped(rest, trimmed),
    };
  }
  if (isObject(providers)) {
    changed.providers = mapped(providers, (one) => ({
      ...{ scopes: null, client_secret_set: false },
      ...(one as Fields),
    }));
  }
  if (isObject(push) && isObject(push.apns)) {
    changed.push = { ...push, apns: mapped(push.apns, trimmed) };
  }
  return changed;
}

function listOf(ids: unknown): unknown {
  if (ids === null) return [];
  return typeof ids === 'string' ? [ids.trim()] : ids;
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function mapped(fields: Fields, change: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)]));
}
