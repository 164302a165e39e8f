// The earlier version of the API (`/api/v1`), which works on the same accounts, and the two calls of v2 that end it: the
// exchange of its tokens, and who is left on it. Specification "Versioning" and "v1 to v2 mapping".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Count, textUpTo } from './answer-values.js';
import {
  bodyBytes,
  maxEmailCharacters,
  maxNameCharacters,
  maxUrlCharacters,
  v1TokenCharacters,
} from './limits.js';
import { LoyaltyStatus } from './loyalty.js';
import { meta } from './metadata.js';
import { CodeInput, dataEnvelope, EmailInput, PasswordInput, Timestamp, TokenAnswer } from './schemas.js';
import { trimmedCharacters } from './text.js';
import { V1Error } from './v1-errors.js';

const c = initContract();

/** `{"success": true, "app": …, "data": …}`, the envelope of every successful answer of v1. */
export function v1Envelope<T extends z.ZodType>(data: T) {
  return z.object({
    success: z.literal(true),
    app: textUpTo(63).meta({ description: "The app's short name.", example: 'demo' }),
    data,
  });
}

/** The parameters of remote config that v1 shows beside the user. */
export const v1ConfigNames = [
  'telegram_url',
  'tiers',
  'exclusive_offers',
  'events',
  'services',
  'cards',
  'payment_infrastructure',
  'concierge',
  'meta_ads',
] as const;

const Name = trimmedCharacters(maxNameCharacters).min(1, 'must not be empty').meta({
  description: 'At most 100 characters, and one at least.',
  maxLength: maxNameCharacters,
  example: 'Ada',
});

/** The same characters typed on another keyboard are the same password. */
const confirms = (body: { password: string; password_confirmation: string }) =>
  body.password.normalize('NFKC') === body.password_confirmation.normalize('NFKC');
const confirmation = { path: ['password_confirmation'], message: 'must be the same as the password' };

const confirmed = {
  password: PasswordInput,
  password_confirmation: PasswordInput.meta({ description: 'The same as `password`.' }),
};

export const V1User = z
  .object({
    id: Count.meta({
      description: "The user's number within the app; given when v1 first shows the user, and kept.",
      example: 1042,
    }),
    email: textUpTo(maxEmailCharacters).meta({
      description: 'Always lower-case.',
      example: 'ada@example.com',
    }),
    first_name: textUpTo(maxNameCharacters).meta({
      description: 'Never null: empty for a user who signed up in v2 without it.',
      example: 'Ada',
    }),
    last_name: textUpTo(maxNameCharacters).meta({
      description: 'Never null, as `first_name`.',
      example: 'Lovelace',
    }),
    photo_url: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({ description: 'An https address, or null.', example: null }),
    email_verified: z.boolean().meta({ description: 'False after `register`.', example: false }),
    ...LoyaltyStatus.shape,
    created_at: Timestamp.meta({ description: 'When the account was made.' }),
  })
  .meta({ id: 'User', description: 'A user of the app, with the loyalty status.' });
export type V1User = z.infer<typeof V1User>;

const ConfigValue = (example: unknown) =>
  z.unknown().meta({
    description: 'A parameter of remote config, as real JSON; null where the team has removed it.',
    example,
  });

const UserWithConfig = z
  .object({
    user: V1User,
    telegram_url: ConfigValue('https://t.me/example'),
    tiers: ConfigValue([]),
    exclusive_offers: ConfigValue([]),
    events: ConfigValue([]),
    services: ConfigValue([]),
    cards: ConfigValue([]),
    payment_infrastructure: ConfigValue({}),
    concierge: ConfigValue({}),
    meta_ads: ConfigValue({}),
  } satisfies Record<'user' | (typeof v1ConfigNames)[number], z.ZodType>)
  .meta({ description: 'The user, and beside it the parameters of the app.' });

const Nothing = z.object({}).meta({ description: 'Empty.', example: {} });

export const v1Contract = c.router(
  {
    accounts: {
      register: {
        method: 'POST',
        path: '/register',
        summary: 'Create an account',
        description: 'Makes the account without signing in. The email counts as unverified.',
        body: z
          .object({
            first_name: Name,
            last_name: Name.meta({ example: 'Lovelace' }),
            email: EmailInput,
            ...confirmed,
          })
          .refine(confirms, confirmation),
        responses: {
          201: v1Envelope(z.object({ user: V1User }).meta({ description: 'The user that was made.' })),
        },
        metadata: meta({
          auth: 'app-key',
          rateLimit: 'auth',
          errors: ['auth/email-already-in-use', 'auth/weak-password', 'auth/operation-not-allowed'],
        }),
      },
      logIn: {
        method: 'POST',
        path: '/login',
        summary: 'Sign in with email and password',
        description:
          'Answers a token that lives until it was not used for 90 days, or until every sign-in of the account ends. ' +
          'An unknown email and a wrong password get the same answer.',
        body: z.object({ email: EmailInput, password: PasswordInput }),
        responses: {
          200: v1Envelope(
            UserWithConfig.extend({
              token: textUpTo(v1TokenCharacters).meta({
                description: `${v1TokenCharacters} hexadecimal characters; send it as \`Authorization: Bearer <TOKEN>\`.`,
                example: 'b3c1'.repeat(v1TokenCharacters / 4),
              }),
            }).meta({ description: 'The token, whose it is, and the parameters of the app.' }),
          ),
        },
        metadata: meta({
          auth: 'app-key',
          rateLimit: 'auth',
          errors: ['auth/invalid-credential', 'auth/user-disabled'],
        }),
      },
      get: {
        method: 'GET',
        path: '/me',
        summary: 'Read the signed-in user',
        description: 'The profile, the loyalty status and the parameters of the app in one answer.',
        responses: { 200: v1Envelope(UserWithConfig) },
        metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
      },
      logOut: {
        method: 'POST',
        path: '/logout',
        summary: 'Sign out',
        description: 'Ends this token; other devices stay signed in.',
        body: c.noBody(),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
      },
      forgotPassword: {
        method: 'POST',
        path: '/password/forgot',
        summary: 'Mail a code to set a new password with',
        description: 'The answer is the same for every email. v2 takes the same code.',
        body: z.object({ email: EmailInput }),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({ auth: 'app-key', rateLimit: 'code-send', errors: [] }),
      },
      resetPassword: {
        method: 'POST',
        path: '/password/reset',
        summary: 'Set a new password with a mailed code',
        description:
          'Ends every sign-in of the account, in v1 and v2. The code may come from either version.',
        body: z.object({ email: EmailInput, code: CodeInput, ...confirmed }).refine(confirms, confirmation),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({
          auth: 'app-key',
          rateLimit: 'auth',
          errors: ['auth/invalid-code', 'auth/code-expired', 'auth/weak-password', 'auth/user-disabled'],
        }),
      },
      delete: {
        method: 'DELETE',
        path: '/account/delete',
        summary: 'Delete the account of the signed-in user',
        description:
          'Needs the token alone: v1 has no way to renew a sign-in, so that a recent one cannot be asked for. Removes all ' +
          'that v2 removes, and the email is free again.',
        body: c.noBody(),
        responses: { 200: v1Envelope(Nothing) },
        metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
      },
    },
  },
  {
    strictStatusCodes: true,
    commonResponses: {
      400: V1Error,
      401: V1Error,
      403: V1Error,
      404: V1Error,
      405: V1Error,
      408: V1Error,
      410: V1Error,
      413: V1Error,
      415: V1Error,
      422: V1Error,
      429: V1Error,
      500: V1Error,
      503: V1Error,
    },
  },
);

export const v1Exchange = c.router({
  exchange: {
    method: 'POST',
    path: '/auth/token/from-v1',
    summary: 'Exchange a v1 token for a session',
    description:
      'An updated app that still holds a v1 token calls this once, and deletes that token whatever the outcome. The v1 ' +
      'token stops working at once. The sign-in time stays that of the v1 sign-in, so sensitive calls ask for the ' +
      'password once. Goes on working after v1 has been switched off. On `auth/invalid-token` (expired, signed out, ' +
      'used already, or no v1 token at all) the user signs in again.',
    body: z.object({
      v1_token: textUpTo(bodyBytes).meta({
        description: `The token of v1: ${v1TokenCharacters} hexadecimal characters.`,
        example: 'b3c1'.repeat(v1TokenCharacters / 4),
      }),
    }),
    responses: { 200: dataEnvelope(TokenAnswer) },
    metadata: meta({
      auth: 'app-key',
      rateLimit: 'exchange',
      answersHeaders: ['X-Device-Token'],
      errors: ['auth/invalid-token', 'auth/user-disabled'],
    }),
  },
});

const count = (description: string, example: number) => Count.meta({ description, example });

export const migration = c.router({
  get: {
    method: 'GET',
    path: '/admin/migration',
    summary: 'Read who is left on v1',
    description:
      'v1 can be switched off (`v1_sunset_at`) without locking anybody out once nobody uses it any more.',
    responses: {
      200: dataEnvelope(
        z
          .object({
            v1_active_users_7d: count('Users who used v1 in the last 7 days; exact, to the hour.', 12),
            v1_active_users_30d: count('The same for the last 30 days.', 57),
            v1_live_tokens: count('Tokens of v1 that still work; exact.', 214),
            v2_active_users_30d: count(
              'Users who signed in to v2 or refreshed in the last 30 days; counted once an hour.',
              9310,
            ),
            as_of: Timestamp.meta({ description: 'When the figures of v1 were counted: now.' }),
            sunset_at: Timestamp.nullable().meta({
              description: 'The shutdown date of v1; null while there is none.',
              example: null,
            }),
          })
          .meta({ id: 'Migration', description: 'Who is left on v1, beside who uses v2.' }),
      ),
    },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'migration:read', audit: null, errors: [] }),
  },
});
