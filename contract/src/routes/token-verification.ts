// Verifying an access token by a call, for backends that do not verify it offline.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { bodyBytes } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { TokenVerdict } from '../schemas/token-verification.js';

const c = initContract();

export const tokenVerification = c.router({
  verify: {
    method: 'POST',
    path: '/admin/tokens/verify',
    summary: 'Verify an access token',
    description:
      'Returns 200 for valid and invalid tokens. By default the session and the account are checked as well, so ' +
      'that a sign-out takes effect immediately; with `check_revoked: false` only the token itself is ' +
      'verified, as in offline verification.',
    body: z.strictObject({
      access_token: textUpTo(bodyBytes).meta({
        description: 'The access token that a client sent.',
        example: 'eyJhbGciOi…',
      }),
      check_revoked: z.boolean().default(true).meta({
        description: 'Whether to check that the session is active and the account is enabled.',
        example: true,
      }),
    }),
    responses: { 200: dataEnvelope(TokenVerdict) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'tokens:verify', audit: null, errors: [] }),
  },
});
