// Sessions: refresh, sign-out, and the list of devices. Specification "Session and refresh token".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { text } from '../input-values.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { Session } from '../schemas/sessions.js';
import { TokenAnswer } from '../schemas/token-answer.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

export const sessions = c.router(
  {
    refresh: {
      method: 'POST',
      path: '/auth/token/refresh',
      summary: 'Exchange a refresh token for the next pair of tokens',
      description:
        'A refresh token works once: store the new one before going on. A lost answer is safe to retry within 30 ' +
        'seconds: the same token then gets the current refresh token again. Used later than that, a spent token ends ' +
        'the session for everybody who holds it. Calls with a token that the service never gave, or with a body that breaks ' +
        'the contract, are counted by IP address (`client`); the service’s own tokens are not refused for them.',
      body: z.object({
        refresh_token: text({ min: 1, max: 512 }).meta({
          description: 'The refresh token of the last token answer.',
          example: 'rt_AQ…',
        }),
      }),
      responses: { 200: dataEnvelope(TokenAnswer) },
      metadata: meta({
        auth: 'app-key',
        rateLimit: 'refresh',
        errors: ['auth/invalid-token', 'auth/refresh-token-revoked'],
      }),
    },
    signOut: {
      method: 'POST',
      path: '/auth/sign-out',
      summary: 'End this session',
      description: 'Ends the session of the access token alone; other devices stay signed in.',
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ errors: [] }),
    },
    signOutAll: {
      method: 'POST',
      path: '/auth/sign-out-all',
      summary: 'End every session of the user',
      description: 'Ends every session of the user in this app, this one included.',
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ errors: [] }),
    },
    list: {
      method: 'GET',
      path: '/me/sessions',
      summary: "List the user's live sessions",
      description: 'The session used last comes first.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Session)) },
      metadata: meta({ errors: [] }),
    },
    end: {
      method: 'DELETE',
      path: '/me/sessions/:id',
      summary: "End one of the user's sessions",
      description: 'The current session can be ended too.',
      pathParams: z.object({ id: Ulid.meta({ description: 'The `id` of the session, from the list.' }) }),
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ errors: ['auth/session-not-found'] }),
    },
  },
  { metadata: meta({ auth: 'signed-in', rateLimit: 'client' }) },
);
