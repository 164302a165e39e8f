// The token answer: the tokens of a session and its user.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { accessTokenSeconds, maxAccessTokenCharacters, maxRefreshTokenCharacters } from '../limits.js';
import { User } from './user.js';
import { integer } from './values.js';

export const TokenAnswer = z
  .object({
    access_token: textUpTo(maxAccessTokenCharacters).meta({
      description: 'A JWT (`typ: at+jwt`) that can be verified with the key set.',
      example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
    }),
    token_type: z
      .literal('Bearer')
      .meta({ description: 'Send the access token as `Authorization: Bearer`.' }),
    expires_in: integer({ min: 1, max: accessTokenSeconds.max }).meta({
      description: 'The lifetime of the access token in seconds; an app setting, 300 to 86,400.',
      example: accessTokenSeconds.default,
    }),
    refresh_token: textUpTo(maxRefreshTokenCharacters).meta({
      description: 'Opaque. Single-use; replace it with the one in each response.',
      example: 'rt_AQ…',
    }),
    user: User,
  })
  .meta({ id: 'TokenAnswer', description: 'A new access token and refresh token, and their user.' });
export type TokenAnswer = z.infer<typeof TokenAnswer>;
