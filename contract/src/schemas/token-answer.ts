// The token answer: the tokens of a session and its user.
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import { accessTokenSeconds, maxAccessTokenCharacters, maxRefreshTokenCharacters } from '../limits.js';
import { User } from './user.js';

export const TokenAnswer = z
  .object({
    access_token: textUpTo(maxAccessTokenCharacters).meta({
      description: 'A JWT (`typ: at+jwt`), verifiable with the key set.',
      example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl',
    }),
    token_type: z
      .literal('Bearer')
      .meta({ description: 'Send the access token as `Authorization: Bearer`.' }),
    expires_in: z.number().int().min(1).max(accessTokenSeconds.max).meta({
      description: 'Seconds of validity of the access token; an app setting, 300 to 86,400.',
      example: accessTokenSeconds.default,
    }),
    refresh_token: textUpTo(maxRefreshTokenCharacters).meta({
      description: 'Opaque; usable once: store the new one of each answer.',
      example: 'rt_AQ…',
    }),
    user: User,
  })
  .meta({ id: 'TokenAnswer', description: 'A new pair of tokens, and whose they are.' });
export type TokenAnswer = z.infer<typeof TokenAnswer>;
