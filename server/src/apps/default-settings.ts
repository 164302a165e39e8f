// What an app's settings are until somebody sets them.
import { limits } from '@foyer/contract';
import type { MoreSettings } from './app.js';

export function defaultSettings(): MoreSettings {
  return {
    recent_sign_in_minutes: limits.recentSignInMinutes.default,
    deep_link: null,
    sign_up: 'open',
    unproven_credentials: 'remove',
    mail: { from_name: null, reply_to: null, texts: {} },
    provider_a: { client_ids: { web: null, ios: null, android: null } },
    provider_b: { services_id: null, bundle_id: null, team_id: null, key_id: null, private_key_set: false },
  };
}
