// The users of an app, for its own backend.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { list, optional } from '../input-values.js';
import {
  backendBodyKeys,
  backendBodyValues,
  importBodyBytes,
  importedUsers,
  userPageItems,
} from '../limits.js';
import { meta } from '../metadata.js';
import { EmailInput, PasswordInput } from '../schemas/credentials.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Identity } from '../schemas/identities.js';
import { Points } from '../schemas/loyalty.js';
import { Passkey } from '../schemas/passkeys.js';
import { Factors } from '../schemas/second-factor.js';
import { Session } from '../schemas/sessions.js';
import { profileInput } from '../schemas/user.js';
import {
  AdminUser,
  ClaimsInput,
  firstItems,
  ImportReport,
  ImportUser,
  MemberIdInput,
  UserListQuery,
} from '../schemas/users.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

const SessionPath = UserPath.extend({
  id: Ulid.meta({ description: 'The `id` of the session, from the list.' }),
});

const PasskeyPath = UserPath.extend({
  id: Ulid.meta({ description: 'The `id` of the passkey, from the list.' }),
});

const reads = { scope: 'users:read', audit: null } as const;

const writes = { scope: 'users:write' } as const;

const orSupport = { orScope: 'users:support' } as const;

export const users = c.router(
  {
    list: {
      method: 'GET',
      path: '',
      summary: 'List and search users',
      description:
        'Later pages are as fast as the first. ' +
        'All filters can be used alone or combined. Changes during paging neither repeat nor omit a user.',
      query: UserListQuery,
      responses: { 200: dataEnvelope(pageOf(AdminUser, userPageItems.max)) },
      metadata: meta({ ...reads, errors: ['admin/query-timeout'] }),
    },
    create: {
      method: 'POST',
      path: '',
      summary: 'Create a user',
      description:
        'Also allowed when sign-up is closed. Without a password the user signs in with an emailed code or a ' +
        'provider. The email is unverified unless `email_verified` is true: the first code that is emailed to an ' +
        'unverified email removes the credentials set before, as after a sign-up. A team member needs a recent sign-in to ' +
        'set a password, claims or a verified email.',
      body: z.strictObject({
        email: EmailInput,
        password: optional(PasswordInput),
        ...profileInput,
        email_verified: optional(z.boolean()).meta({ description: 'False by default.', example: true }),
        disabled: optional(z.boolean()).meta({ description: 'False by default.', example: false }),
        claims: optional(ClaimsInput),
        member_id: optional(MemberIdInput),
        points: optional(Points).meta({
          description:
            'The first entry of the loyalty ledger; no entry for 0. Others require the scope `loyalty:write` too.',
          example: 250,
        }),
      }),
      responses: { 201: dataEnvelope(AdminUser) },
      metadata: meta({
        ...writes,
        audit: 'user.created',
        idempotencyKey: true,
        errors: [
          'auth/email-already-in-use',
          'auth/weak-password',
          'auth/requires-recent-login',
          'admin/member-id-already-in-use',
          'admin/claims-too-large',
          'admin/reserved-claim',
        ],
      }),
    },
    import: {
      method: 'POST',
      path: '/import',
      summary: 'Create many users',
      description:
        `Up to ${importedUsers.toLocaleString('en')} per call; a user that cannot be created fails without ` +
        'affecting the others. If any user has a password or a password hash, the whole call is rejected. A team member needs ' +
        'a recent sign-in to import claims or verified emails.',
      body: z.strictObject({
        // Accepts any value, and checks nothing, since the first alternative always holds: each user is validated separately,
        // so that an invalid one fails without affecting the others, and a thousand of them do not block other calls.
        users: z
          .preprocess(firstItems, list(z.union([z.unknown(), ImportUser]), { min: 1, max: importedUsers }))
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
        errors: ['admin/password-import-not-supported', 'auth/requires-recent-login'],
      }),
    },
    get: {
      method: 'GET',
      path: '/:uid',
      summary: 'Read a user',
      description: 'Includes fields that the user cannot see.',
      pathParams: UserPath,
      responses: { 200: dataEnvelope(AdminUser) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    update: {
      method: 'PATCH',
      path: '/:uid',
      summary: 'Change, disable or enable a user',
      description:
        'The scope `users:support` allows `disabled` only. Changes only the fields that are sent; null clears a field. A new password, or `disabled: true`, ends ' +
        'all sessions; enabling the user does not restore them. A changed email is unverified unless ' +
        '`email_verified` is sent as well. A notice of a changed email or password is mailed to the user. A team member ' +
        'needs a recent sign-in to set either, or a verified email, since it opens the account.',
      pathParams: UserPath,
      body: z
        .strictObject({
          email: EmailInput.optional(),
          password: PasswordInput.optional(),
          ...profileInput,
          email_verified: z
            .boolean()
            .optional()
            .meta({ description: 'Whether the email is verified.', example: true }),
          disabled: z
            .boolean()
            .optional()
            .meta({ description: 'Whether the user is disabled.', example: true }),
          member_id: MemberIdInput.optional(),
        })
        .meta({ example: { first_name: 'Ada', last_name: 'Lovelace', disabled: false } }),
      responses: { 200: dataEnvelope(AdminUser) },
      metadata: meta({
        ...writes,
        ...orSupport,
        audit: 'user.updated',
        errors: [
          'auth/user-not-found',
          'auth/email-already-in-use',
          'auth/weak-password',
          'auth/requires-recent-login',
          'admin/member-id-already-in-use',
        ],
      }),
    },
    delete: {
      method: 'DELETE',
      path: '/:uid',
      summary: 'Delete a user',
      description:
        'Has the same effects as the deletion of the account by the user. The email becomes available immediately.',
      pathParams: UserPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ ...writes, audit: 'user.deleted', errors: ['auth/user-not-found'] }),
    },
    setClaims: {
      method: 'PUT',
      path: '/:uid/claims',
      summary: 'Set the custom claims of a user',
      description:
        'Replaces the whole set: omitted claims are removed, and `{}` removes all. Access tokens contain them in ' +
        '`claims` from the next refresh or sign-in.',
      pathParams: UserPath,
      body: z.strictObject({ claims: ClaimsInput }),
      responses: { 200: dataEnvelope(AdminUser) },
      metadata: meta({
        ...writes,
        audit: 'user.claims_set',
        recentSignIn: true,
        errors: ['auth/user-not-found', 'admin/claims-too-large', 'admin/reserved-claim'],
      }),
    },
    revokeSessions: {
      method: 'POST',
      path: '/:uid/revoke-sessions',
      summary: 'End all sessions of a user',
      description:
        'Takes effect immediately, also for tokens of v1; the user must sign in again on every device.',
      pathParams: UserPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        ...writes,
        ...orSupport,
        audit: 'user.sessions_revoked',
        idempotencyKey: true,
        errors: ['auth/user-not-found'],
      }),
    },
    sessions: {
      method: 'GET',
      path: '/:uid/sessions',
      summary: 'List the active sessions of a user',
      description: 'The most recently used session first; `current` is always false.',
      pathParams: UserPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Session)) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    endSession: {
      method: 'DELETE',
      path: '/:uid/sessions/:id',
      summary: 'End one session of a user',
      description: 'Takes effect immediately: its access tokens and its refresh token are rejected.',
      pathParams: SessionPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        ...writes,
        ...orSupport,
        audit: 'session.revoked',
        errors: ['auth/user-not-found', 'auth/session-not-found'],
      }),
    },
    factors: {
      method: 'GET',
      path: '/:uid/factors',
      summary: "Read the user's second factor",
      description:
        'When the authenticator app was enrolled, and how many recovery codes are left. Passkeys have a list of their own.',
      pathParams: UserPath,
      responses: { 200: dataEnvelope(Factors) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    removeFactors: {
      method: 'DELETE',
      path: '/:uid/factors',
      summary: "Remove the user's second factor",
      description:
        'For a user who lost the authenticator app and the recovery codes. Ends all sessions, and mails a notice to the user. ' +
        'Passkeys are not removed.',
      pathParams: UserPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        ...writes,
        audit: 'user.second_factor_removed',
        recentSignIn: true,
        errors: ['auth/user-not-found', 'auth/second-factor-not-enrolled'],
      }),
    },
    identities: {
      method: 'GET',
      path: '/:uid/identities',
      summary: 'List the linked providers of a user',
      description: 'There are at most two.',
      pathParams: UserPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Identity)) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    passkeys: {
      method: 'GET',
      path: '/:uid/passkeys',
      summary: 'List the passkeys of a user',
      description: 'The newest first.',
      pathParams: UserPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Passkey)) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    removePasskey: {
      method: 'DELETE',
      path: '/:uid/passkeys/:id',
      summary: 'Remove a passkey of a user',
      description:
        'For a user who lost it. The sessions that it started continue; `revoke-sessions` ends them. A notice is mailed to ' +
        'the user.',
      pathParams: PasskeyPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        ...writes,
        audit: 'passkey.removed',
        recentSignIn: true,
        errors: ['auth/user-not-found', 'auth/passkey-not-found'],
      }),
    },
  },
  { pathPrefix: '/admin/users', metadata: meta({ auth: 'admin', rateLimit: 'admin' }) },
);
