// Exchanging a v1 token for a v2 session. Specification "v1 to v2 mapping".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
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
      'An updated app that still holds a v1 token calls this once, and deletes that token whatever the outcome. The v1 ' +
      'token stops working at once. The sign-in time stays that of the v1 sign-in, so sensitive calls ask for the ' +
      'password once. Goes on working after v1 has been switched off. On `auth/invalid-token` (expired, signed out, ' +
      'used already, or no v1 token at all) the user signs in again.',
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
      errors: ['auth/invalid-token', 'auth/user-disabled'],
    }),
  },
});
