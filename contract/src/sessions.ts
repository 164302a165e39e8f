// Sessions: refresh, sign-out, and the list of devices. Specification "Session and refresh token".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from './answer-values.js';
import { maxDeviceTextCharacters, maxIpAddressCharacters } from './limits.js';
import { meta } from './metadata.js';
import { dataEnvelope, PageQuery, pageOf, Timestamp, TokenAnswer, Ulid } from './schemas.js';
import { text } from './text.js';

const c = initContract();

export const sessionMethods = ['password', 'email_code', 'provider_a', 'provider_b', 'v1_exchange'] as const;
export const deviceTypes = ['mobile', 'tablet', 'desktop', 'unknown'] as const;

export const Session = z
  .object({
    id: Ulid.meta({ description: 'The session; `sid` in its access tokens.' }),
    current: z.boolean().meta({ description: 'True for the session that makes this call.', example: true }),
    method: z.enum(sessionMethods).meta({ description: 'How the user signed in.', example: 'password' }),
    device: z.object({
      name: textUpTo(maxDeviceTextCharacters).nullable().meta({
        description: 'What the client said of itself in `X-Client-Device`.',
        example: "Ada's phone",
      }),
      type: z
        .enum(deviceTypes)
        .meta({ description: 'What the `User-Agent` header tells.', example: 'mobile' }),
      os: textUpTo(maxDeviceTextCharacters)
        .nullable()
        .meta({ description: 'From the `User-Agent`.', example: 'Android 15' }),
      browser: textUpTo(maxDeviceTextCharacters)
        .nullable()
        .meta({ description: 'From the `User-Agent`.', example: 'Firefox 131' }),
      app_version: textUpTo(maxDeviceTextCharacters).nullable().meta({
        description: 'What the client said in `X-Client-Version`.',
        example: '4.2.0',
      }),
    }),
    ip_address: textUpTo(maxIpAddressCharacters)
      .nullable()
      .meta({ description: 'Where the user signed in from.', example: '203.0.113.7' }),
    created_at: Timestamp.meta({ description: 'The sign-in.' }),
    last_used_at: Timestamp.meta({
      description: 'The sign-in or the last refresh.',
      example: '2026-01-05T18:20:41.093000Z',
    }),
    expires_at: Timestamp.meta({
      description: 'When the session ends if it is not refreshed before.',
      example: '2026-04-05T18:20:41.093000Z',
    }),
  })
  .meta({ id: 'Session', description: 'A sign-in that lives on one device.' });
export type Session = z.infer<typeof Session>;

export const sessions = c.router({
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
      refresh_token: text(512).min(1).meta({
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
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  signOutAll: {
    method: 'POST',
    path: '/auth/sign-out-all',
    summary: 'End every session of the user',
    description: 'Ends every session of the user in this app, this one included.',
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  list: {
    method: 'GET',
    path: '/me/sessions',
    summary: "List the user's live sessions",
    description: 'The session used last comes first.',
    query: PageQuery,
    responses: { 200: dataEnvelope(pageOf(Session)) },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: [] }),
  },
  end: {
    method: 'DELETE',
    path: '/me/sessions/:id',
    summary: "End one of the user's sessions",
    description: 'The current session can be ended too.',
    pathParams: z.object({ id: Ulid.meta({ description: 'The `id` of the session, from the list.' }) }),
    body: c.noBody(),
    responses: { 204: c.noBody() },
    metadata: meta({ auth: 'signed-in', rateLimit: 'client', errors: ['auth/session-not-found'] }),
  },
});
