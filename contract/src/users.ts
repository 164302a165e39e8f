// The users of an app, for its own backend. Conventions of the API, "Admin".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Count, listUpTo, textUpTo } from './answer-values.js';
import { charactersOf } from './characters.js';
import { errorCodes } from './errors.js';
import { Identity, providers } from './identities.js';
import {
  backendBodyKeys,
  backendBodyValues,
  importBodyBytes,
  importedUsers,
  maxClaimsBytes,
  maxMemberIdCharacters,
  maxPoints,
  userPageItems,
  userSearchCharacters,
} from './limits.js';
import { meta } from './metadata.js';
import {
  dataEnvelope,
  EmailInput,
  InstantInput,
  inDigits,
  NameInput,
  PageQuery,
  PasswordInput,
  PhotoUrlInput,
  pageOf,
  Timestamp,
  Ulid,
  User,
} from './schemas.js';
import { Session } from './sessions.js';
import { text } from './text.js';

const c = initContract();

const Claims = z.record(z.string(), z.unknown()).meta({
  description: `The custom claims of the user, at most ${maxClaimsBytes} bytes of JSON; \`claims\` in access tokens.`,
  example: { role: 'editor' },
});

/** As given: a number that JSON text cannot carry to everybody unchanged is refused rather than rounded. */
const ClaimsInput = z
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

export const MemberIdInput = text(maxMemberIdCharacters)
  .regex(/^[A-Za-z0-9_.-]+$/, 'must have letters, digits, and _ . - alone')
  .meta({ description: 'Unique in the app; ten random digits unless given.', example: '4302918857' });

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

const SessionPath = UserPath.extend({
  id: Ulid.meta({ description: 'The `id` of the session, from the list.' }),
});

const Flag = z.enum(['true', 'false']).transform((flag) => flag === 'true');

/** The orders of the list; each is read from an index. */
export const userOrders = ['-created_at', 'created_at', 'email', '-email'] as const;

const searchLength = `must have ${userSearchCharacters.min} to ${userSearchCharacters.max} characters`;

const UserListQuery = PageQuery.extend({
  q: text(6 * userSearchCharacters.max, searchLength)
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

const profileInput = {
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
function firstItems(users: unknown): unknown {
  return Array.isArray(users) ? users.slice(0, importedUsers + 1) : users;
}

const ImportReport = z
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

const reads = { auth: 'admin', rateLimit: 'admin', scope: 'users:read', audit: null } as const;
const writes = { auth: 'admin', rateLimit: 'admin', scope: 'users:write' } as const;

export const users = c.router({
  list: {
    method: 'GET',
    path: '/admin/users',
    summary: 'List and search users',
    description:
      'Depth costs nothing; users who match but stand far from the page cost a few microseconds each. Every filter works alone or ' +
      'together with others; while users come and go, none is shown twice or left out.',
    query: UserListQuery,
    responses: { 200: dataEnvelope(pageOf(AdminUser, userPageItems.max)) },
    metadata: meta({ ...reads, errors: ['admin/query-timeout'] }),
  },
  create: {
    method: 'POST',
    path: '/admin/users',
    summary: 'Make a user',
    description:
      'Works where sign-up is closed, too. Without a password the user signs in with a mailed code or a provider. An email ' +
      'that is not said to be verified is not: the first code that is mailed to it then removes what was put on the ' +
      'account before, as after a sign-up.',
    body: z.object({
      email: EmailInput,
      password: PasswordInput.optional(),
      ...profileInput,
      email_verified: z.boolean().optional().meta({ description: 'False unless given.', example: true }),
      disabled: z.boolean().optional().meta({ description: 'False unless given.', example: false }),
      claims: ClaimsInput.optional(),
      member_id: MemberIdInput.optional(),
      points: z
        .number()
        .int()
        .min(0)
        .max(maxPoints)
        .optional()
        .meta({ description: 'The first entry of the loyalty ledger; none for 0.', example: 250 }),
    }),
    responses: { 201: dataEnvelope(AdminUser) },
    metadata: meta({
      ...writes,
      audit: 'user.created',
      idempotencyKey: true,
      errors: [
        'auth/email-already-in-use',
        'auth/weak-password',
        'admin/member-id-already-in-use',
        'admin/claims-too-large',
        'admin/reserved-claim',
      ],
    }),
  },
  import: {
    method: 'POST',
    path: '/admin/users/import',
    summary: 'Make many users',
    description:
      `Up to ${importedUsers.toLocaleString('en')} at once; a user that cannot be made fails alone. A password, or a hash of one, ` +
      'in any of them refuses the whole call.',
    body: z.object({
      // A user that breaks the contract is to fail alone, so anything passes here.
      users: z
        .preprocess(
          firstItems,
          z
            .array(z.union([ImportUser, z.unknown()]))
            .min(1)
            .max(importedUsers),
        )
        .meta({
          description: 'The users.',
          example: [{ email: 'ada@example.com', email_verified: true, first_name: 'Ada' }],
        }),
    }),
    responses: { 200: dataEnvelope(ImportReport) },
    metadata: meta({
      ...writes,
      audit: 'users.imported',
      bodyBytes: importBodyBytes,
      bodyValues: backendBodyValues,
      bodyKeys: backendBodyKeys,
      idempotencyKey: true,
      errors: ['admin/password-import-not-supported'],
    }),
  },
  get: {
    method: 'GET',
    path: '/admin/users/:uid',
    summary: 'Read a user',
    description: 'As the user is now, with what the user never sees.',
    pathParams: UserPath,
    responses: { 200: dataEnvelope(AdminUser) },
    metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
  },
  update: {
    method: 'PATCH',
    path: '/admin/users/:uid',
    summary: 'Change, disable or enable a user',
    description:
      'Changes the fields that are given, and no others; null clears a field. A new password, or `disabled: true`, ends ' +
      'every session; enabling brings none back. A changed email is unverified unless `email_verified` is given, too. The ' +
      'owner is told by mail of a changed email or password.',
    pathParams: UserPath,
    body: z.object({
      email: EmailInput.optional(),
      password: PasswordInput.optional(),
      ...profileInput,
      email_verified: z.boolean().optional().meta({ description: 'Whose the email is.', example: true }),
      disabled: z.boolean().optional().meta({ description: 'Whether the user is kept out.', example: true }),
      member_id: MemberIdInput.optional(),
    }),
    responses: { 200: dataEnvelope(AdminUser) },
    metadata: meta({
      ...writes,
      audit: 'user.updated',
      errors: [
        'auth/user-not-found',
        'auth/email-already-in-use',
        'auth/weak-password',
        'admin/member-id-already-in-use',
      ],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/admin/users/:uid',
    summary: 'Delete a user',
    description: 'Does all that deleting the own account does. The email is free again at once.',
    pathParams: UserPath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({ ...writes, audit: 'user.deleted', errors: ['auth/user-not-found'] }),
  },
  setClaims: {
    method: 'PUT',
    path: '/admin/users/:uid/claims',
    summary: 'Set the custom claims of a user',
    description:
      'The whole set: what is not given is gone, and `{}` clears all. They stand in `claims` of access tokens from the next ' +
      'refresh or sign-in on.',
    pathParams: UserPath,
    body: z.object({ claims: ClaimsInput }),
    responses: { 200: dataEnvelope(AdminUser) },
    metadata: meta({
      ...writes,
      audit: 'user.claims_set',
      errors: ['auth/user-not-found', 'admin/claims-too-large', 'admin/reserved-claim'],
    }),
  },
  revokeSessions: {
    method: 'POST',
    path: '/admin/users/:uid/revoke-sessions',
    summary: 'End every session of a user',
    description: 'At once, and with them the v1 tokens; the user signs in again on every device.',
    pathParams: UserPath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({
      ...writes,
      audit: 'user.sessions_revoked',
      idempotencyKey: true,
      errors: ['auth/user-not-found'],
    }),
  },
  sessions: {
    method: 'GET',
    path: '/admin/users/:uid/sessions',
    summary: 'List the live sessions of a user',
    description: 'The session used last comes first; `current` is always false.',
    pathParams: UserPath,
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(Session)) },
    metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
  },
  endSession: {
    method: 'DELETE',
    path: '/admin/users/:uid/sessions/:id',
    summary: 'End one session of a user',
    description: 'At once: neither its access tokens nor its refresh token work any more.',
    pathParams: SessionPath,
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({
      ...writes,
      audit: 'session.revoked',
      errors: ['auth/user-not-found', 'auth/session-not-found'],
    }),
  },
  identities: {
    method: 'GET',
    path: '/admin/users/:uid/identities',
    summary: 'List the linked providers of a user',
    description: 'There are at most two, so there is never a second page.',
    pathParams: UserPath,
    responses: { 200: dataEnvelope(pageOf(Identity)) },
    metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
  },
});
