// Exchanging a v1 token for a v2 session.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { bodyBytes, v1TokenCharacters } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { TokenAnswer } from '../schemas/token-answer.js';

const c = initContract();

export const v1Exchange = c.router({
  exchange: {
    method: 'POST',
    path: '/auth/token/from-v1',
    summary: 'Exchange a v1 token for a session',
    description:
      'An updated app that still has a v1 token calls this once, and deletes that token after a success or a ' +
      'definitive rejection (401, 403); after no response, 408, 429 or 5xx it keeps it and tries again. The v1 token stops working immediately. The sign-in time is that of the v1 sign-in, so a ' +
      'sensitive call asks for the password once. The exchange remains available after v1 is switched off. On ' +
      '`auth/invalid-token` (expired, signed out, already exchanged, or not a v1 token) the user must sign in ' +
      'again.',
    body: z.object({
      v1_token: textUpTo(bodyBytes).meta({
        description: `The token of v1: ${v1TokenCharacters} hexadecimal characters.`,
        example: 'b3c1'.repeat(v1TokenCharacters / 4),
      }),
    }),
    responses: { 200: dataEnvelope(TokenAnswer) },
    metadata: meta({
      auth: 'app-key',
      rateLimit: 'exchange',
      answersHeaders: ['X-Device-Token'],
      errors: ['auth/invalid-token', 'auth/user-disabled', 'auth/second-factor-required'],
    }),
  },
});
