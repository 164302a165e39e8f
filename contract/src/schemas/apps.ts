// The settings of an app.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  accessTokenSeconds,
  collectionsPerApp,
  fileBytes,
  fileOverheadBytes,
  mailsToStrangersPerHour,
  maxAllowedFileTypes,
  maxRedirectUriCharacters,
  maxUrlCharacters,
  rateLimitFactor,
  recentSignInMinutes,
  recordOverheadBytes,
  redirectUrisPerApp,
  signUpsPerHour,
  userDataBytes,
  userFileBytes,
} from '../limits.js';
import { ownParametersIn } from '../magic-link.js';
import type { RateLimitGroup } from '../rate-limit-rules.js';
import { withoutInvisible } from '../typed-text.js';
import { isForeignScheme, isUrl } from '../url.js';
import {
  apns,
  PrivateKey,
  providerA,
  providerAPatch,
  providerB,
  providerBPatch,
  ServiceAccount,
  webPush,
} from './app-credentials.js';
import { Tiers } from './loyalty.js';
import { MailSettings, MailSettingsInput } from './mail-settings.js';
import { OriginInput } from './origins.js';
import { PasskeySettings, PasskeySettingsInput } from './passkey-settings.js';
import { ClientSecret, ProviderSettings, ProviderSettingsInput } from './provider-settings.js';
import { RedirectUrisInput } from './redirect-uris.js';
import { secondFactorRules } from './second-factor.js';
import { InstantInput, integer, Timestamp } from './values.js';

/** Invisible characters that were pasted would become part of the path, and the app would not know it. */
const DeepLink = text({ max: maxUrlCharacters })
  .overwrite((url) => withoutInvisible(url).trim())
  .refine(isDeepLink, 'must be a URL with a scheme and without a fragment')
  .refine(
    (url) => ownParametersIn(url).length === 0,
    'must not have the parameters mode, email and code, which the service adds',
  );

function isDeepLink(value: string): boolean {
  if (!isUrl(value) || value.includes('#') || /[\s<>"'\\]/.test(value)) return false;
  return !isForeignScheme(new URL(value).protocol);
}

/** HTTP dates have whole seconds, so the fraction is dropped. */
const WholeSecondInput = InstantInput.transform((time) => `${time.slice(0, 19)}.000000Z`).meta({
  format: 'date-time',
});

const settings = {
  access_token_seconds: integer(accessTokenSeconds).meta({
    description: 'The lifetime of an access token, in seconds.',
    example: accessTokenSeconds.default,
  }),
  token_algorithm: z
    .enum(['ES256', 'RS256'])
    .meta({ description: 'RS256 is for gateways that can verify RSA signatures only.', example: 'ES256' }),
  recent_sign_in_minutes: integer(recentSignInMinutes).meta({
    description: 'The maximum age of the sign-in that sensitive calls require.',
    example: recentSignInMinutes.default,
  }),
  deep_link: DeepLink.nullable().meta({
    description: 'The target of the magic link in sign-in mails; null for no link.',
    example: 'https://app.example.com/sign-in',
  }),
  allowed_origins: list(OriginInput, { max: 100 }).meta({
    description:
      'Origins that may call from a browser; empty allows all. `https://*.example.com` allows all subdomains, and not ' +
      '`https://example.com` itself. Apps and extensions have origins such as `capacitor://localhost` and ' +
      '`chrome-extension://<id>`; pages opened from a file have `null`.',
    example: [],
  }),
  sign_up: z.enum(['open', 'closed']).meta({
    description: '`closed`: users cannot create accounts, whatever the sign-in method.',
    example: 'open',
  }),
  second_factor: z.enum(secondFactorRules).meta({
    description:
      '`optional`: users may enroll an authenticator app, and then need it for every sign-in. `required`: users without one ' +
      'enroll it at their next sign-in; sessions that have started continue. `off`: factors that were enrolled are stored, but ' +
      'not asked for.',
    example: 'optional',
  }),
  refuse_common_passwords: z.boolean().meta({
    description:
      'Whether to reject new passwords that are among the 10,000 most common ones or equal the name of the app ' +
      '(`auth/weak-password`). Recommended; off by default.',
    example: true,
  }),
  new_device_notice: z.boolean().meta({
    description:
      'Whether to mail a notice to a user who signs in on a device that is not known; not for the first session of an account. ' +
      'A device is known by its `X-Device-Token`. After a new password, only the device that set it is; after a new email, the ' +
      'removal of a passkey, a provider or the authenticator app, or a sign-out everywhere, none is.',
    example: true,
  }),
  tiers: Tiers,
};

const redirectUris = {
  description:
    'Where users may return to from a provider, compared character by character. https URLs, http for localhost, and schemes ' +
    `of apps; without a fragment. At most ${redirectUrisPerApp}.`,
  example: ['https://app.example.com/signed-in', 'com.example.app:/signed-in'],
};

const MediaType = text({ max: 127 }).regex(
  /^[a-z0-9][a-z0-9!#$&^_.+-]*\/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/,
  'must be a media type such as image/png or image/*',
);

const files = {
  max_bytes: integer(fileBytes).meta({
    description: 'The maximum size of a file, in bytes.',
    example: fileBytes.default,
  }),
  user_quota_bytes: integer(userFileBytes).meta({
    description:
      'The maximum total size of the files of one user, in bytes; each file counts with its size and ' +
      `${fileOverheadBytes} bytes.`,
    example: userFileBytes.default,
  }),
  allowed_types: list(MediaType, { min: 1, max: maxAllowedFileTypes })
    .nullable()
    .meta({
      description: 'The types that may be uploaded, as detected from the content; null allows all.',
      example: ['image/*', 'application/pdf'],
    }),
};

const privateKey =
  'Write-only: an elliptic curve key on P-256, as its file has it (PKCS #8 in PEM) or on one line, in base64 or JSON. A key ' +
  'that cannot work is rejected.';

const ceilings = {
  sign_ups_per_hour: integer(signUpsPerHour).meta({
    description:
      'The number of accounts created per hour, for all IP addresses together; sign-ups that prove the email, by a ' +
      'code or an identity provider, have as many of their own. One network uses at most half of them, and beyond ' +
      'them only networks without a sign-up in the last hour are served, at a quarter of the rate. Others receive ' +
      '`request/rate-limited`. Accounts created by the backend are not counted.',
    example: signUpsPerHour.default,
  }),
  mails_to_strangers_per_hour: integer(mailsToStrangersPerHour).meta({
    description:
      'The number of codes emailed per hour to emails without an account, shared between networks like ' +
      '`sign_ups_per_hour`; signed-in users who change their email have as many of their own, and so have notices to ' +
      'unverified emails about a change of the account. Further mails are not sent, and the response does not change.',
    example: mailsToStrangersPerHour.default,
  }),
};

const factor = (policies: string) =>
  z
    .number()
    .min(rateLimitFactor.min)
    .max(rateLimitFactor.max)
    .meta({ description: `Multiplies the limits of ${policies}.`, example: rateLimitFactor.default });

const factors = {
  sign_in: factor(
    'sign-ins, sign-ups and other calls that verify a credential. Above 1 it does not raise the limits of failed passwords',
  ),
  codes: factor('emailed codes and notices. Above 1 it does not raise the limits of failed codes'),
  refresh: factor('refreshes'),
  client: factor('all other calls of clients'),
  backend: factor('calls with a secret key or by a team member'),
} satisfies Record<RateLimitGroup, z.ZodNumber>;

const data = {
  max_collections: integer(collectionsPerApp).meta({
    description: 'The maximum number of collections; lowering it does not remove collections.',
    example: collectionsPerApp.default,
  }),
  user_quota_bytes: integer(userDataBytes).meta({
    description:
      'The maximum total size of the records of one user, in bytes; each record counts with the size of its ' +
      `fields and ${recordOverheadBytes} bytes. Lowering it removes no records: a user above it can only delete ` +
      'records and replace them by smaller ones.',
    example: userDataBytes.default,
  }),
};

/** The descriptions of the groups of settings. */
const groups = {
  rate_limits: {
    description:
      'A factor for each group of rate limits: 1 for the defaults, 0.5 for half as many calls in the same time, 2 for ' +
      'twice as many.',
  },
  files: { description: 'The limits of uploads.' },
  limits: { description: 'The hourly limits of the app for all callers together.' },
  data: { description: 'The limits of collections and their records.' },
  provider_a: { description: 'Sign-in with provider A.' },
  provider_b: { description: 'Sign-in with provider B.' },
  push: { description: 'The credentials of the push providers.' },
};

const KeyFault = textUpTo(300)
  .nullable()
  .meta({
    description:
      'Why the stored key cannot work, continuing "The key …"; null if it can. Read-only: an unusable key is rejected ' +
      'when it is set, but may have been stored by an earlier version.',
    example: null,
  });

export const AppSettings = z
  .object({
    ...settings,
    allowed_origins: listUpTo(100, textUpTo(maxUrlCharacters)).meta({
      description: 'Origins that may call from a browser, as browsers send them; empty allows all.',
      example: [],
    }),
    rate_limits: z.object(factors).meta(groups.rate_limits),
    mail: MailSettings,
    files: z.object(files).meta(groups.files),
    limits: z.object(ceilings).meta(groups.limits),
    data: z.object(data).meta(groups.data),
    provider_a: z
      .object({
        client_ids: z.object(providerA),
        client_secret_set: z
          .boolean()
          .meta({ description: 'The secret itself is never returned.', example: false }),
      })
      .meta(groups.provider_a),
    provider_b: z
      .object({
        ...providerB,
        private_key_set: z
          .boolean()
          .meta({ description: 'The key itself is never returned.', example: false }),
        private_key_fault: KeyFault,
      })
      .meta(groups.provider_b),
    providers: ProviderSettings,
    redirect_uris: listUpTo(redirectUrisPerApp, textUpTo(maxRedirectUriCharacters)).meta(redirectUris),
    passkeys: PasskeySettings,
    push: z
      .object({
        fcm: z.object({
          project_id: textUpTo(100)
            .nullable()
            .meta({ description: 'The project of the service account.', example: null }),
          service_account_set: z
            .boolean()
            .meta({ description: 'The service account itself is never returned.', example: false }),
          service_account_fault: KeyFault,
        }),
        apns: z.object({
          ...apns,
          private_key_set: z
            .boolean()
            .meta({ description: 'The key itself is never returned.', example: false }),
          private_key_fault: KeyFault,
        }),
        web_push: z.object({
          ...webPush,
          public_key: textUpTo(100).nullable().meta({
            description:
              'The public key for browser subscriptions (VAPID); null until Web Push is first enabled.',
            example: null,
          }),
        }),
      })
      .meta(groups.push),
    v1_sunset_at: Timestamp.nullable().meta({
      description: 'When v1 is switched off, to the second; responses of v1 announce it. Null for never.',
      example: null,
    }),
    v1_deprecated_at: Timestamp.nullable().meta({
      description: 'When the shutdown date of v1 was first set, or that date if it is earlier; read-only.',
      example: null,
    }),
  })
  .meta({ id: 'AppSettings', description: "An app's settings." });
export type AppSettings = z.infer<typeof AppSettings>;

/** Objects are merged key by key; null clears a nullable setting and removes an entry of a map. */
export const AppSettingsPatch = z
  .strictObject({
    ...settings,
    rate_limits: z.strictObject(factors).partial().meta(groups.rate_limits),
    mail: MailSettingsInput,
    files: z.strictObject(files).partial().meta(groups.files),
    limits: z.strictObject(ceilings).partial().meta(groups.limits),
    data: z.strictObject(data).partial().meta(groups.data),
    provider_a: z
      .strictObject({
        client_ids: z.strictObject(providerAPatch).partial(),
        client_secret: ClientSecret.nullable().meta({
          description:
            'Write-only: the secret of the first client id on the web, for sign-in by redirect; null removes it.',
          example: 'GOCSPX-4fL2xk',
        }),
      })
      .partial()
      .meta(groups.provider_a),
    provider_b: z
      .strictObject({
        ...providerBPatch,
        private_key: PrivateKey.nullable().meta({ description: privateKey }),
      })
      .partial()
      .meta(groups.provider_b),
    providers: ProviderSettingsInput,
    redirect_uris: RedirectUrisInput.meta(redirectUris),
    passkeys: PasskeySettingsInput,
    push: z
      .strictObject({
        fcm: z
          .strictObject({
            service_account: ServiceAccount.nullable().meta({
              description: "Write-only: the contents of the service account's JSON key file.",
            }),
          })
          .partial(),
        apns: z
          .strictObject({ ...apns, private_key: PrivateKey.nullable().meta({ description: privateKey }) })
          .partial(),
        web_push: z.strictObject(webPush).partial(),
      })
      .partial()
      .meta(groups.push),
    v1_sunset_at: WholeSecondInput.nullable().meta({
      description: 'When v1 is switched off: an ISO 8601 time, truncated to the second; null for never.',
      example: '2027-01-31T00:00:00Z',
    }),
  })
  .partial()
  .meta({ example: { refuse_common_passwords: true, mail: { from_name: 'Example' } } });
export type AppSettingsPatch = z.infer<typeof AppSettingsPatch>;
