// Helping a user to sign in, for the backend of the app and its team.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { notesPerUser } from '../limits.js';
import { meta } from '../metadata.js';
import { CodeSent } from '../schemas/credentials.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { NoteInput, SignInState, supportCodePurposes, UserNote } from '../schemas/support.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const UserPath = z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) });

const helps = { scope: 'users:support', orScope: 'users:write' } as const;

export const support = c.router(
  {
    signInState: {
      method: 'GET',
      path: '/sign-in-state',
      summary: 'Read what keeps a user from signing in',
      description:
        'The rate limits that refuse the user now, and the latest entries of the audit log that tell why. Limits are those ' +
        'of the instance that answers, unless the instances share them in Redis.',
      pathParams: UserPath,
      responses: { 200: dataEnvelope(SignInState) },
      metadata: meta({
        scope: 'users:read',
        alsoScope: 'audit:read',
        audit: null,
        errors: ['auth/user-not-found'],
      }),
    },
    liftLimits: {
      method: 'POST',
      path: '/lift-limits',
      summary: 'Lift the limits that refuse a user',
      description:
        'Resets the counters of failed attempts and of mailed codes, for the account, its IP addresses and its known ' +
        "devices of the last day; an attacker's too.",
      pathParams: UserPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        ...helps,
        audit: 'user.limits_lifted',
        idempotencyKey: true,
        errors: ['auth/user-not-found'],
      }),
    },
    sendCode: {
      method: 'POST',
      path: '/send-code',
      summary: 'Mail a code to a user',
      description:
        'Mails the code that the user would request in the app, to the email of the account: to sign in, to reset the ' +
        'password, or to verify the email. The code itself is never returned. At most one mail in 30 seconds and five in an ' +
        'hour for each user and purpose; further calls return `request/rate-limited`.',
      pathParams: UserPath,
      body: z.strictObject({
        purpose: z
          .enum(supportCodePurposes)
          .meta({ description: 'What the code is for.', example: 'sign_in' }),
      }),
      responses: { 200: dataEnvelope(CodeSent) },
      metadata: meta({
        ...helps,
        audit: 'user.code_sent',
        idempotencyKey: true,
        errors: ['auth/user-not-found', 'auth/user-disabled'],
      }),
    },
    addNote: {
      method: 'POST',
      path: '/notes',
      summary: 'Add a note to a user',
      description:
        `A note is kept unchanged until the account is deleted; a user has at most ${notesPerUser}, and the ` +
        'oldest is deleted when one is added beyond that. The user never sees it.',
      pathParams: UserPath,
      body: z.strictObject({ text: NoteInput }),
      responses: { 201: dataEnvelope(UserNote) },
      metadata: meta({
        ...helps,
        audit: 'user.note_added',
        idempotencyKey: true,
        errors: ['auth/user-not-found'],
      }),
    },
    notes: {
      method: 'GET',
      path: '/notes',
      summary: 'List the notes on a user',
      description: 'Newest first.',
      pathParams: UserPath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(UserNote)) },
      metadata: meta({ scope: 'users:read', audit: null, errors: ['auth/user-not-found'] }),
    },
  },
  { pathPrefix: '/admin/users/:uid', metadata: meta({ auth: 'admin', rateLimit: 'admin' }) },
);
