// The default settings of an app.
import { limits } from '@foyer/contract';
import type { MoreSettings } from '../model/app.js';

export function defaultSettings(): MoreSettings {
  return {
    recent_sign_in_minutes: limits.recentSignInMinutes.default,
    deep_link: null,
    sign_up: 'open',
    second_factor: 'off',
    refuse_common_passwords: false,
    new_device_notice: false,
    tiers: [{ tier: 'member', min_points: 0 }],
    mail: {
      from_name: null,
      reply_to: null,
      branding: { logo_url: null, accent_color: null, button: null, footer: null },
      texts: {},
    },
    files: {
      max_bytes: limits.fileBytes.default,
      user_quota_bytes: limits.userFileBytes.default,
      allowed_types: null,
    },
    limits: {
      sign_ups_per_hour: limits.signUpsPerHour.default,
      mails_to_strangers_per_hour: limits.mailsToStrangersPerHour.default,
    },
    data: {
      max_collections: limits.collectionsPerApp.default,
      user_quota_bytes: limits.userDataBytes.default,
    },
    provider_a: { client_ids: { web: [], ios: [], android: [] }, client_secret_set: false },
    provider_b: {
      services_ids: [],
      bundle_ids: [],
      team_id: null,
      key_id: null,
      private_key_set: false,
      private_key_fault: null,
    },
    providers: {},
    redirect_uris: [],
    passkeys: null,
    push: {
      fcm: { project_id: null, service_account_set: false, service_account_fault: null },
      apns: { key_id: null, team_id: null, bundle_id: null, private_key_set: false, private_key_fault: null },
      web_push: { subject: null, public_key: null },
    },
    v1_sunset_at: null,
    v1_deprecated_at: null,
  };
}
