// Sessions: refresh, sign-out, and the list of devices.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { text } from '../input-values.js';
import { refreshesPerReuseWindow, refreshReuseSeconds } from '../limits.js';
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
      summary: 'Exchange a refresh token for new tokens',
      description:
        'A refresh token can be used once: store the new one before using it. If the response is lost, retry ' +
        `within ${refreshReuseSeconds} seconds: the used token then returns the current refresh token again. Using it after ` +
        `that ends the session. After ${refreshesPerReuseWindow} refreshes of a session within ${refreshReuseSeconds} seconds, ` +
        `further refreshes return 429 until the ${refreshReuseSeconds} seconds have passed. Calls with a token that the service ` +
        'did not issue, or with an invalid body, are counted by IP address (`client`); this limit does not apply to tokens ' +
        'that the service issued.',
      body: z.object({
        refresh_token: text({ min: 1, max: 512 }).meta({
          description: 'The refresh token of the latest token answer.',
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
      summary: 'End the current session',
      description: 'Ends only the session of the access token; other devices stay signed in.',
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ errors: [] }),
    },
    signOutAll: {
      method: 'POST',
      path: '/auth/sign-out-all',
      summary: 'End all sessions of the user',
      description: 'Ends all sessions of the user in this app, including the current one.',
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ errors: [] }),
    },
    list: {
      method: 'GET',
      path: '/me/sessions',
      summary: "List the user's active sessions",
      description: 'The most recently used session first.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(Session)) },
      metadata: meta({ errors: [] }),
    },
    end: {
      method: 'DELETE',
      path: '/me/sessions/:id',
      summary: "End one of the user's sessions",
      description: 'The current session can also be ended.',
      pathParams: z.object({ id: Ulid.meta({ description: 'The `id` of the session, from the list.' }) }),
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ errors: ['auth/session-not-found'] }),
    },
  },
  { metadata: meta({ auth: 'signed-in', rateLimit: 'client' }) },
);
