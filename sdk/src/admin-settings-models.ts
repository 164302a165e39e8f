// The settings of an app, as the service's contract has them.

export interface Tier {
  tier: string;
  /** The balance from which a user has it. */
  min_points: number;
}

export interface RateLimitRule {
  limit: number;
  window_seconds: number;
}

/** The policies whose limits an app may set: those that answers name in `RateLimit-Policy`. */
export type RateLimitName =
  | 'auth-ip'
  | 'auth-failures-email-ip'
  | 'auth-failures-email'
  | 'code-failures-email-ip'
  | 'code-failures-email'
  | 'auth-failures-device'
  | 'auth-failures-user'
  | 'exchange-ip'
  | 'code-send-email-ip-pause'
  | 'code-send-email-ip'
  | 'code-send-email-ip-day'
  | 'code-send-email'
  | 'code-send-email-slow'
  | 'notice-email'
  | 'code-send-ip'
  | 'invalid-credential-ip'
  | 'refresh-session'
  | 'client'
  | 'upload'
  | 'admin'
  | 'push-send';

export interface MailText {
  subject: string;
  /** Plain text, shown below the code. */
  text: string;
}

export type MailPurpose = 'sign_in' | 'reset' | 'verification' | 'email_change';

interface PlainSettings {
  /** The life of an access token: 300 to 86,400. */
  access_token_seconds: number;
  /** RS256 is for gateways that verify RSA alone. */
  token_algorithm: 'ES256' | 'RS256';
  /** How recent a sign-in sensitive calls demand: 1 to 60. */
  recent_sign_in_minutes: number;
  /** Where the magic link of a sign-in mail leads; `null` for no link. */
  deep_link: string | null;
  /** Origins that may call from a browser; empty allows any. */
  allowed_origins: string[];
  /** `closed`: no way in makes an account. */
  sign_up: 'open' | 'closed';
  /** What the first mailed code does with credentials that were put on an account before its email was proven. */
  unproven_credentials: 'remove' | 'keep';
  /** Whether the most common passwords and the app's name are refused as `auth/weak-password`. */
  refuse_common_passwords: boolean;
  /** The loyalty tiers, the lowest first and from 0 points. */
  tiers: Tier[];
}

interface MailSender {
  /** `null` for the app's name. */
  from_name: string | null;
  reply_to: string | null;
}

interface ProviderAClients {
  web: string | null;
  ios: string | null;
  android: string | null;
}

interface ProviderBClient {
  services_id: string | null;
  bundle_id: string | null;
  team_id: string | null;
  key_id: string | null;
}

interface ApnsSender {
  key_id: string | null;
  team_id: string | null;
  bundle_id: string | null;
}

/** What the app may declare. */
interface DataLimits {
  /** How many collections; those above a lowered limit stay. */
  max_collections: number;
}

interface FileLimits {
  /** The largest file. */
  max_bytes: number;
  /** What all files of one user may come to. */
  user_quota_bytes: number;
  /** `image/*` or `application/pdf`, for example, as files are recognised; `null` for any. */
  allowed_types: string[] | null;
}

interface AppCeilings {
  /** Accounts that may be made in an hour: 1 to 1,000,000. */
  sign_ups_per_hour: number;
  /** Codes that may be mailed in an hour to emails without an account: 1 to 1,000,000. */
  mails_to_strangers_per_hour: number;
}

export interface AppSettings extends PlainSettings {
  files: FileLimits;
  limits: AppCeilings;
  data: DataLimits;
  /** When v1 is switched off; `null` for never. */
  v1_sunset_at: string | null;
  /** Since when v1 has a shutdown date; read-only. */
  v1_deprecated_at: string | null;
  /** Policies that differ from their defaults. */
  rate_limits: { [Policy in RateLimitName]?: RateLimitRule };
  mail: MailSender & {
    /** Own texts by purpose and language tag; English is built in. */
    texts: { [Purpose in MailPurpose]?: Record<string, MailText> };
  };
  provider_a: { client_ids: ProviderAClients };
  provider_b: ProviderBClient & {
    /** The key itself is never returned. */
    private_key_set: boolean;
  };
  push: {
    fcm: {
      /** Of the service account. */
      project_id: string | null;
      service_account_set: boolean;
    };
    apns: ApnsSender & { private_key_set: boolean };
    web_push: {
      /** Where push services reach the team: `mailto:` or `https:`. */
      subject: string | null;
      /** What browsers subscribe with; `null` until Web Push was first switched on. */
      public_key: string | null;
    };
  };
}

type Patch<T> = { [K in keyof T]?: T[K] | undefined };

/** What to change; `null` clears a setting that may be null, and removes an entry of a map. */
export interface AppSettingsPatch extends Patch<PlainSettings> {
  files?: Patch<FileLimits> | undefined;
  limits?: Patch<AppCeilings> | undefined;
  data?: Patch<DataLimits> | undefined;
  /** An ISO 8601 time with a zone, cut to the second. */
  v1_sunset_at?: string | null | undefined;
  rate_limits?: { [Policy in RateLimitName]?: RateLimitRule | null } | undefined;
  mail?:
    | (Patch<MailSender> & {
        texts?: { [Purpose in MailPurpose]?: Record<string, MailText | null> | null } | undefined;
      })
    | undefined;
  provider_a?: { client_ids?: Patch<ProviderAClients> | undefined } | undefined;
  /** The private key is a PKCS #8 key in PEM, and is never shown again. */
  provider_b?: (Patch<ProviderBClient> & { private_key?: string | null | undefined }) | undefined;
  push?:
    | {
        /** The text of the service account's JSON key file, which is never shown again. */
        fcm?: { service_account?: string | null | undefined } | undefined;
        apns?: (Patch<ApnsSender> & { private_key?: string | null | undefined }) | undefined;
        web_push?: { subject?: string | null | undefined } | undefined;
      }
    | undefined;
}
