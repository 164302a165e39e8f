// The settings of an app.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  accessTokenSeconds,
  collectionsPerApp,
  fileBytes,
  fileOverheadBytes,
  languagesPerMail,
  mailsToStrangersPerHour,
  maxAllowedFileTypes,
  maxUrlCharacters,
  rateLimits,
  recentSignInMinutes,
  recordOverheadBytes,
  signUpsPerHour,
  userDataBytes,
  userFileBytes,
} from '../limits.js';
import { isUrl } from '../url.js';
import { apns, PrivateKey, providerA, providerB, ServiceAccount, webPush } from './app-credentials.js';
import { EmailInput } from './credentials.js';
import { Tiers } from './loyalty.js';
import { InstantInput, integer, Timestamp } from './values.js';

export const mailPurposes = ['sign_in', 'reset', 'verification', 'email_change'] as const;

export const MailText = z.strictObject({
  subject: text({ min: 1, max: 200 })
    .refine((subject) => !/\p{Cc}/u.test(subject), 'must be one line')
    .meta({ description: 'The subject of the mail.' }),
  text: text({ min: 1, max: 2_000 }).meta({ description: 'Plain text below the code.' }),
});

const Origin = text({ max: maxUrlCharacters }).refine(
  (origin) => isUrl(origin) && new URL(origin).origin === origin,
  'must be an origin such as https://app.example.com',
);

const DeepLink = text({ max: maxUrlCharacters }).refine(
  isDeepLink,
  'must be a URL with a scheme and without a fragment',
);

/** Any scheme that an app can register, except those that a mail client could execute. */
function isDeepLink(value: string): boolean {
  if (!isUrl(value) || value.includes('#') || /[\s<>"'\\]/.test(value)) return false;
  return !['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'].includes(new URL(value).protocol);
}

const RateLimitRule = z.strictObject({
  limit: integer({ min: 1, max: 1_000_000 }).meta({ description: 'The number of calls in a window.' }),
  window_seconds: integer({ min: 1, max: 86_400 }).meta({ description: 'The length of the window.' }),
});

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
  allowed_origins: list(Origin, { max: 100 }).meta({
    description: 'Origins that may call from a browser; empty allows all.',
    example: [],
  }),
  sign_up: z.enum(['open', 'closed']).meta({
    description: '`closed`: users cannot create accounts, whatever the sign-in method.',
    example: 'open',
  }),
  unproven_credentials: z.enum(['remove', 'keep']).meta({
    description:
      'What the first emailed code does with credentials that were added before the email was verified.',
    example: 'remove',
  }),
  refuse_common_passwords: z.boolean().meta({
    description:
      'Whether to reject new passwords that are among the 10,000 most common ones or equal the name of the app ' +
      '(`auth/weak-password`). Recommended; off by default.',
    example: true,
  }),
  tiers: Tiers,
};

const mail = {
  from_name: text({ min: 1, max: 100 })
    .refine((name) => !/[\p{Cc}<>"]/u.test(name), 'must be plain text')
    .nullable()
    .meta({
      description: 'The name of the sender; null for the name of the app.',
      example: null,
    }),
  reply_to: EmailInput.nullable().meta({
    description: 'The email address for replies; null for none.',
    example: null,
  }),
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

const ceilings = {
  sign_ups_per_hour: integer(signUpsPerHour).meta({
    description:
      'The maximum number of accounts created per hour, for all sign-in methods and IP addresses together; ' +
      'further sign-ups return `request/rate-limited`. Accounts created by the backend are not counted.',
    example: signUpsPerHour.default,
  }),
  mails_to_strangers_per_hour: integer(mailsToStrangersPerHour).meta({
    description:
      'The maximum number of codes emailed per hour to emails without an account; further codes are not emailed, ' +
      'and the response does not change.',
    example: mailsToStrangersPerHour.default,
  }),
};

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
  rate_limits: { description: 'Policies that override their defaults.' },
  mail: { description: 'The sender and the texts of mails.' },
  files: { description: 'The limits of uploads.' },
  limits: { description: 'The hourly limits of the app for all callers together.' },
  data: { description: 'The limits of collections and their records.' },
  provider_a: { description: 'Sign-in with provider A.' },
  provider_b: { description: 'Sign-in with provider B.' },
  push: { description: 'The credentials of the push providers.' },
};

const policies = Object.keys(rateLimits) as (keyof typeof rateLimits)[];

export const AppSettings = z
  .object({
    ...settings,
    rate_limits: z
      .partialRecord(z.enum(policies), RateLimitRule)
      .meta({ ...groups.rate_limits, example: {} }),
    mail: z
      .object({
        ...mail,
        texts: z.partialRecord(z.enum(mailPurposes), z.record(z.string(), MailText)).meta({
          description:
            `Custom texts by purpose and language tag, at most ${languagesPerMail} languages each; English is ` +
            'built in.',
          example: {},
        }),
      })
      .meta(groups.mail),
    files: z.object(files).meta(groups.files),
    limits: z.object(ceilings).meta(groups.limits),
    data: z.object(data).meta(groups.data),
    provider_a: z.object({ client_ids: z.object(providerA) }).meta(groups.provider_a),
    provider_b: z
      .object({
        ...providerB,
        private_key_set: z
          .boolean()
          .meta({ description: 'The key itself is never returned.', example: false }),
      })
      .meta(groups.provider_b),
    push: z
      .object({
        fcm: z.object({
          project_id: textUpTo(100)
            .nullable()
            .meta({ description: 'The project of the service account.', example: null }),
          service_account_set: z
            .boolean()
            .meta({ description: 'The service account itself is never returned.', example: false }),
        }),
        apns: z.object({
          ...apns,
          private_key_set: z
            .boolean()
            .meta({ description: 'The key itself is never returned.', example: false }),
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

export const Language = text({ max: 35 }).regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag');

/** Objects are merged key by key; null clears a nullable setting and removes an entry of a map. */
export const AppSettingsPatch = z
  .strictObject({
    ...settings,
    rate_limits: z.partialRecord(z.enum(policies), RateLimitRule.nullable()).meta(groups.rate_limits),
    mail: z
      .strictObject({
        ...mail,
        texts: z.partialRecord(z.enum(mailPurposes), z.record(Language, MailText.nullable()).nullable()),
      })
      .partial()
      .meta(groups.mail),
    files: z.strictObject(files).partial().meta(groups.files),
    limits: z.strictObject(ceilings).partial().meta(groups.limits),
    data: z.strictObject(data).partial().meta(groups.data),
    provider_a: z
      .strictObject({ client_ids: z.strictObject(providerA).partial() })
      .partial()
      .meta(groups.provider_a),
    provider_b: z
      .strictObject({ ...providerB, private_key: PrivateKey.nullable().meta({ description: 'Write-only.' }) })
      .partial()
      .meta(groups.provider_b),
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
          .strictObject({ ...apns, private_key: PrivateKey.nullable().meta({ description: 'Write-only.' }) })
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
  .meta({ example: { sign_up: 'closed', mail: { from_name: 'Example' } } });
export type AppSettingsPatch = z.infer<typeof AppSettingsPatch>;
