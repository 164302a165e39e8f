// Users, as the backend of the app reads and writes them.
import { z } from 'zod';
import { Count, listUpTo, textUpTo } from '../answer-values.js';
import { charactersOf } from '../characters.js';
import { errorCodes } from '../errors.js';
import { text } from '../input-values.js';
import {
  importedUsers,
  maxClaimsBytes,
  maxMemberIdCharacters,
  maxPoints,
  userPageItems,
  userSearchCharacters,
} from '../limits.js';
import { EmailInput } from './credentials.js';
import { PageQuery } from './envelopes.js';
import { providers } from './identities.js';
import { NameInput, PhotoUrlInput, User } from './user.js';
import { InstantInput, inDigits, Timestamp } from './values.js';

const Claims = z.record(z.string(), z.unknown()).meta({
  description: `The custom claims of the user, at most ${maxClaimsBytes} bytes of JSON; \`claims\` in access tokens.`,
  example: { role: 'editor' },
});

/** As given: a number that JSON text cannot carry to everybody unchanged is refused rather than rounded. */
export const ClaimsInput = z
  .preprocess(demandPlainNames, Claims.refine(holdsExactNumbers, 'must hold no integer beyond ±(2⁵³−1)'))
  .meta({
    description: `At most ${maxClaimsBytes} bytes of JSON; no reserved name of a JWT, and no integer beyond ±(2⁵³−1).`,
    example: { role: 'editor' },
  });

/** zod drops a name that JavaScript itself uses; a claim is refused, rather than lost without a word. */
function demandPlainNames(
  claims: Record<string, unknown>,
  context: z.RefinementCtx,
): Record<string, unknown> {
  if (typeof claims === 'object' && claims !== null && Object.hasOwn(claims, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'cannot be the name of a claim' });
  }
  return claims;
}

/** Without recursion: a body may nest deeper than the stack. */
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
  providers: listUpTo(providers.length, z.enum(providers)).meta({
    description: 'The identity providers that are linked.',
    example: ['provider-a'],
  }),
  claims: Claims,
  member_id: textUpTo(maxMemberIdCharacters).meta({
    description: "The loyalty programme's.",
    example: '4302918857',
  }),
  points: z.number().int().min(0).max(maxPoints).meta({ description: 'The loyalty balance.', example: 1250 }),
  updated_at: Timestamp.meta({ description: 'The last change of the account.' }),
  last_sign_in_at: Timestamp.nullable().meta({ description: 'Null before the first sign-in.' }),
  last_active_at: Timestamp.nullable().meta({
    description: 'The latest sign-in, refresh or use of v1; null before the first.',
  }),
  v1_last_used_at: Timestamp.nullable().meta({
    description: 'The latest use of v1, to the hour; null if never.',
    example: null,
  }),
}).meta({ id: 'AdminUser', description: "A user of the app, as the app's own backend sees it." });
export type AdminUser = z.infer<typeof AdminUser>;

export const MemberIdInput = text({ max: maxMemberIdCharacters })
  .regex(/^[A-Za-z0-9_.-]+$/, 'must have letters, digits, and _ . - alone')
  .meta({ description: 'Unique in the app; ten random digits unless given.', example: '4302918857' });

const Flag = z.enum(['true', 'false']).transform((flag) => flag === 'true');

/** The orders of the list; each is read from an index. */
export const userOrders = ['-created_at', 'created_at', 'email', '-email'] as const;

const searchLength = `must have ${userSearchCharacters.min} to ${userSearchCharacters.max} characters`;

export const UserListQuery = PageQuery.extend({
  q: text({ max: 6 * userSearchCharacters.max, error: searchLength })
    .trim()
    .normalize('NFC')
    .refine((term) => {
      const characters = charactersOf(term);
      return characters >= userSearchCharacters.min && characters <= userSearchCharacters.max;
    }, searchLength)
    .optional()
    .meta({
      maxLength: userSearchCharacters.max,
      description: 'The beginning of the email, first or last name in any case, or a whole uid or member id.',
      example: 'ada',
    }),
  email: EmailInput.optional().meta({ description: 'The whole email.', example: 'ada@example.com' }),
  disabled: Flag.optional().meta({ description: '`true` or `false`.', example: 'false' }),
  email_verified: Flag.optional().meta({ description: '`true` or `false`.', example: 'true' }),
  provider: z
    .enum(providers)
    .optional()
    .meta({ description: 'Users who have linked this provider.', example: 'provider-a' }),
  created_after: InstantInput.optional().meta({ description: 'Users of this time or later.' }),
  created_before: InstantInput.optional().meta({ description: 'Users before this time.' }),
  v1_used_after: InstantInput.optional().meta({
    description: 'Users whose latest use of v1 is of this time or later.',
  }),
  order: z.enum(userOrders).default('-created_at').meta({
    description: 'A minus turns it round: newest first, unless another is asked for.',
    example: '-created_at',
  }),
  limit: inDigits({ min: 1, max: userPageItems.max })
    .default(userPageItems.default)
    .meta({ description: `Items a page, at most ${userPageItems.max}.`, example: userPageItems.default }),
});

export const profileInput = {
  first_name: NameInput.optional(),
  last_name: NameInput.optional().meta({ example: 'Lovelace' }),
  photo_url: PhotoUrlInput.optional(),
};

/** A user in an import: without a password, which nobody can bring along. */
export const ImportUser = z
  .strictObject({
    email: EmailInput,
    ...profileInput,
    email_verified: z.boolean().optional().meta({ description: 'False unless given.', example: true }),
    disabled: z.boolean().optional().meta({ description: 'False unless given.', example: false }),
    claims: ClaimsInput.optional(),
    member_id: MemberIdInput.optional(),
  })
  .meta({
    id: 'ImportUser',
    description:
      'A user to be made. One with `points` is refused: they are added as an entry of the ledger, when the user is made.',
  });

/** Too many are refused for their number, and none but the first are looked at before that. */
export function firstItems(users: unknown): unknown {
  return Array.isArray(users) ? users.slice(0, importedUsers + 1) : users;
}

export const ImportReport = z
  .object({
    created: Count.meta({ description: 'How many users were made.', example: 2 }),
    failed: listUpTo(
      importedUsers,
      z.object({
        index: Count.meta({ description: 'The place in `users`, from 0.', example: 1 }),
        code: z.enum(errorCodes).meta({ description: 'Why.', example: 'auth/email-already-in-use' }),
        message: textUpTo(1_000).meta({
          description: 'For developers.',
          example: 'An account with this email already exists.',
        }),
      }),
    ).meta({ description: 'Those that were not made, in their order; the others were.' }),
  })
  .meta({ id: 'ImportReport', description: 'What became of each user.' });
