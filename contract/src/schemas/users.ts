// Users, as the backend of the app reads and writes them.
import * as z from 'zod';
import { Count, listUpTo, textUpTo } from '../answer-values.js';
import { charactersOf } from '../characters.js';
import { errorCodes } from '../errors.js';
import { text } from '../input-values.js';
import {
  importedUsers,
  listedUids,
  maxClaimsBytes,
  maxEmailCharacters,
  maxImportMessageCharacters,
  maxMemberIdCharacters,
  maxProviderIdCharacters,
  maxPushTokenCharacters,
  userPageItems,
  userSearchCharacters,
} from '../limits.js';
import { isSearchLongEnough } from '../user-search.js';
import { EmailInput } from './credentials.js';
import { PageQuery } from './envelopes.js';
import { ProviderIdAnswer } from './identities.js';
import { Points } from './loyalty.js';
import { profileInput, User } from './user.js';
import { InstantInput, inDigits, requirePlainNames, Timestamp } from './values.js';

const Claims = z.record(z.string(), z.unknown()).meta({
  description: `The custom claims of the user, at most ${maxClaimsBytes} bytes of JSON; \`claims\` in access tokens.`,
  example: { role: 'editor' },
});

/** A number that not every JSON parser reads unchanged is rejected, not rounded. */
export const ClaimsInput = z
  .preprocess(
    (claims: Record<string, unknown>, context) => requirePlainNames(claims, context, 'a claim'),
    Claims.refine(holdsExactNumbers, 'must not contain an integer beyond ±(2⁵³−1)'),
  )
  .meta({
    description: `At most ${maxClaimsBytes} bytes of JSON, without reserved JWT claim names and integers beyond ±(2⁵³−1).`,
    example: { role: 'editor' },
  });

/** The search is not recursive: a body may be nested deeper than the stack. */
function holdsExactNumbers(claims: Record<string, unknown>): boolean {
  const values: unknown[] = [claims];
  for (const value of values) {
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) values.push(inner);
  }
  return true;
}

export const AdminUser = User.extend({
  disabled: z
    .boolean()
    .meta({ description: 'A disabled user can neither sign in nor refresh.', example: false }),
  has_password: z.boolean().meta({ description: 'Whether a password is set.', example: true }),
  second_factor: z.boolean().meta({
    description: 'Whether an authenticator app is enrolled.',
    example: false,
  }),
  providers: listUpTo(100, ProviderIdAnswer).meta({
    description: 'The identity providers that are linked.',
    example: ['provider-a'],
  }),
  claims: Claims,
  member_id: textUpTo(maxMemberIdCharacters).meta({
    description: 'The member id in the loyalty programme.',
    example: '4302918857',
  }),
  points: Points.meta({ description: 'The loyalty balance.', example: 1250 }),
  updated_at: Timestamp.meta({ description: 'The time of the last change to the account.' }),
  last_sign_in_at: Timestamp.nullable().meta({ description: 'Null before the first sign-in.' }),
  last_active_at: Timestamp.nullable().meta({
    description: 'The latest sign-in, refresh or use of v1; null before the first.',
  }),
  v1_last_used_at: Timestamp.nullable().meta({
    description: 'The latest use of v1, to the hour; null if v1 was never used.',
    example: null,
  }),
}).meta({
  id: 'AdminUser',
  description: 'A user of the app, with the fields that only its backend can see.',
});
export type AdminUser = z.infer<typeof AdminUser>;

export const MemberIdInput = text({ max: maxMemberIdCharacters })
  .regex(/^[A-Za-z0-9_.-]+$/, 'must contain only letters, digits, and _ . -')
  .meta({ description: 'Unique in the app; ten random digits by default.', example: '4302918857' });

const Flag = z.enum(['true', 'false']).transform((flag) => flag === 'true');

/** The sort orders of the list; each is read from an index. */
export const userOrders = ['-created_at', 'created_at', 'email', '-email'] as const;

const uidList = new RegExp(
  `^[0-7][0-9A-HJKMNP-TV-Z]{25}(,[0-7][0-9A-HJKMNP-TV-Z]{25}){0,${listedUids - 1}}$`,
);

const searchLength = `must have ${userSearchCharacters.min} to ${userSearchCharacters.max} characters, or be a push token`;

export const UserListQuery = PageQuery.extend({
  q: text({ max: maxPushTokenCharacters, error: searchLength })
    .trim()
    .normalize('NFC')
    .refine(
      (term) =>
        isSearchLongEnough(term) && (charactersOf(term) <= userSearchCharacters.max || !/\s/.test(term)),
      searchLength,
    )
    .optional()
    .meta({
      minLength: 1,
      maxLength: maxPushTokenCharacters,
      description:
        'Matches the start of the email or of its domain (`@example.com`, `example.com`); or users with a word for each word of ' +
        'the search that begins with it, in any order (`souza maria`), among their first and last names and the part of the email ' +
        'before the `@`, ignoring case, accents and apostrophes; or a complete uid, member id or push token of a device. The six longest words are ' +
        'compared. An email copied from a mail program (`"Ada" <ada@example.com>`, `mailto:`) is a search for it. One Chinese, ' +
        'Japanese or Korean character is a word.',
      example: 'ada',
    }),
  uids: text({ max: 27 * listedUids - 1 })
    .regex(uidList, `must be at most ${listedUids} uids, separated by commas`)
    .optional()
    .meta({
      description: `The users with these uids, at most ${listedUids}, separated by commas; unknown ones are ignored.`,
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB,01JC4Q7M0RZ9X2V5T8W3Y6K1NC',
    }),
  // An unencoded `+` in a query arrives as a space, which no email contains.
  email: text({ max: 2 * maxEmailCharacters })
    .overwrite((given) => given.trim().replaceAll(' ', '+'))
    .pipe(EmailInput)
    .optional()
    .meta({ description: 'Matches the complete email.', example: 'ada@example.com' }),
  disabled: Flag.optional().meta({
    description: '`true`: disabled users; `false`: the others.',
    example: 'false',
  }),
  email_verified: Flag.optional().meta({
    description: '`true`: users with a verified email; `false`: the others.',
    example: 'true',
  }),
  provider: text({ min: 1, max: maxProviderIdCharacters }).optional().meta({
    description:
      'Users who have linked this provider: `provider-a`, `provider-b` or the id of a provider of the settings.',
    example: 'provider-a',
  }),
  created_after: InstantInput.optional().meta({ description: 'Users created at or after this time.' }),
  created_before: InstantInput.optional().meta({ description: 'Users created before this time.' }),
  v1_used_after: InstantInput.optional().meta({
    description: 'Users whose latest use of v1 is at or after this time.',
  }),
  order: z
    .enum(userOrders)
    .default('-created_at')
    .meta({
      description: 'The sort order; prefix with `-` for descending order. Newest first by default.',
      example: '-created_at',
      'x-enum-varnames': userOrders.map((order) =>
        order.startsWith('-') ? `${order.slice(1)}_desc` : order,
      ),
    }),
  limit: inDigits({ min: 1, max: userPageItems.max })
    .default(userPageItems.default)
    .meta({ description: `The page size, at most ${userPageItems.max}.`, example: userPageItems.default }),
});

/** A user in an import. Passwords cannot be imported. */
export const ImportUser = z
  .strictObject({
    email: EmailInput,
    ...profileInput,
    email_verified: z.boolean().optional().meta({ description: 'False by default.', example: true }),
    disabled: z.boolean().optional().meta({ description: 'False by default.', example: false }),
    claims: ClaimsInput.optional(),
    member_id: MemberIdInput.optional(),
  })
  .meta({
    id: 'ImportUser',
    description:
      'A user to create. `points` are rejected: add them as an entry of the ledger after the user is created.',
  });

/** A list with too many users is rejected before the users beyond the limit are validated. */
export function firstItems(users: unknown): unknown {
  return Array.isArray(users) ? users.slice(0, importedUsers + 1) : users;
}

export const ImportReport = z
  .object({
    created: Count.meta({ description: 'The number of users created.', example: 2 }),
    failed: listUpTo(
      importedUsers,
      z.object({
        index: Count.meta({ description: 'The index in `users`, from 0.', example: 1 }),
        code: z.enum(errorCodes).meta({
          description:
            'The error: `request/validation-failed`, `auth/email-already-in-use`, `admin/member-id-already-in-use`, ' +
            '`admin/claims-too-large` or `admin/reserved-claim`.',
          example: 'auth/email-already-in-use',
        }),
        message: textUpTo(maxImportMessageCharacters).meta({
          description: 'For developers.',
          example: 'An account with this email already exists.',
        }),
      }),
    ).meta({ description: 'The users that were not created, in order; all others were created.' }),
  })
  .meta({ id: 'ImportReport', description: 'The result of the import.' });
