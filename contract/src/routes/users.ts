// The users of an app, for its own backend. Conventions of the API, "Admin".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { list } from '../input-values.js';
import {
  backendBodyKeys,
  backendBodyValues,
  importBodyBytes,
  importedUsers,
  maxPoints,
  userPageItems,
} from '../limits.js';
import { meta } from '../metadata.js';
import { EmailInput, PasswordInput } from '../schemas/credentials.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Identity } from '../schemas/identities.js';
import { Session } from '../schemas/sessions.js';
import {
  AdminUser,
  ClaimsInput,
  firstItems,
  ImportReport,
  ImportUser,
  MemberIdInput,
  profileInput,
  UserListQuery,
} from '../schemas/users.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

const SessionPath = UserPath.extend({
  id: Ulid.meta({ description: 'The `id` of the session, from the list.' }),
});

const reads = { scope: 'users:read', audit: null } as const;

const writes = { scope: 'users:write' } as const;

export const users = c.router(
  {
    list: {
      method: 'GET',
      path: '',
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
      path: '',
      summary: 'Make a user',
      description:
        'Works where sign-up is closed, too. Without a password the user signs in with a mailed code or a provider. An email ' +
        'that is not said to be verified is not: the first code that is mailed to it then removes what was put on the ' +
        'account before, as after a sign-up.',
      body: z.strictObject({
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
      path: '/import',
      summary: 'Make many users',
      description:
        `Up to ${importedUsers.toLocaleString('en')} at once; a user that cannot be made fails alone. A password, or a hash of one, ` +
        'in any of them refuses the whole call.',
      body: z.strictObject({
        // A user that breaks the contract is to fail alone, so anything passes here.
        users: z
          .preprocess(firstItems, list(z.union([ImportUser, z.unknown()]), { min: 1, max: importedUsers }))
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
      path: '/:uid',
      summary: 'Read a user',
      description: 'As the user is now, with what the user never sees.',
      pathParams: UserPath,
      responses: { 200: dataEnvelope(AdminUser) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    update: {
      method: 'PATCH',
      path: '/:uid',
      summary: 'Change, disable or enable a user',
      description:
        'Changes the fields that are given, and no others; null clears a field. A new password, or `disabled: true`, ends ' +
        'every session; enabling brings none back. A changed email is unverified unless `email_verified` is given, too. The ' +
        'owner is told by mail of a changed email or password.',
      pathParams: UserPath,
      body: z.strictObject({
        email: EmailInput.optional(),
        password: PasswordInput.optional(),
        ...profileInput,
        email_verified: z.boolean().optional().meta({ description: 'Whose the email is.', example: true }),
        disabled: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the user is kept out.', example: true }),
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
      path: '/:uid',
      summary: 'Delete a user',
      description: 'Does all that deleting the own account does. The email is free again at once.',
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
        'The whole set: what is not given is gone, and `{}` clears all. They stand in `claims` of access tokens from the next ' +
        'refresh or sign-in on.',
      pathParams: UserPath,
      body: z.strictObject({ claims: ClaimsInput }),
      responses: { 200: dataEnvelope(AdminUser) },
      metadata: meta({
        ...writes,
        audit: 'user.claims_set',
        errors: ['auth/user-not-found', 'admin/claims-too-large', 'admin/reserved-claim'],
      }),
    },
    revokeSessions: {
      method: 'POST',
      path: '/:uid/revoke-sessions',
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
      path: '/:uid/sessions',
      summary: 'List the live sessions of a user',
      description: 'The session used last comes first; `current` is always false.',
      pathParams: UserPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Session)) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
    endSession: {
      method: 'DELETE',
      path: '/:uid/sessions/:id',
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
      path: '/:uid/identities',
      summary: 'List the linked providers of a user',
      description: 'There are at most two, so there is never a second page.',
      pathParams: UserPath,
      responses: { 200: dataEnvelope(pageOf(Identity)) },
      metadata: meta({ ...reads, errors: ['auth/user-not-found'] }),
    },
  },
  { pathPrefix: '/admin/users', metadata: meta({ auth: 'admin', rateLimit: 'admin' }) },
);
