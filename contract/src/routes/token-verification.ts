// Verifying an access token by a call, for backends that do not verify it offline.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
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
      'Always 200, also for a token that is no good. By default the session and the account are judged too, so that a ' +
      'sign-out acts at once; `check_revoked: false` judges the token alone, as offline verification does.',
    body: z.strictObject({
      access_token: textUpTo(bodyBytes).meta({
        description: 'The token that a client sent.',
        example: 'eyJhbGciOi…',
      }),
      check_revoked: z.boolean().default(true).meta({
        description: 'Whether the session must be alive and the account enabled.',
        example: true,
      }),
    }),
    responses: { 200: dataEnvelope(TokenVerdict) },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'tokens:verify', audit: null, errors: [] }),
  },
});
