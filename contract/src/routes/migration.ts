// How many users still use v1, for the backend of the app. Specification "Versioning".
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Count } from '../answer-values.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { Timestamp } from '../schemas/values.js';

const c = initContract();

const count = (description: string, example: number) => Count.meta({ description, example });

export const migration = c.router({
  get: {
    method: 'GET',
    path: '/admin/migration',
    summary: 'Read who is left on v1',
    description:
      'v1 can be switched off (`v1_sunset_at`) without locking anybody out once nobody uses it any more.',
    responses: {
      200: dataEnvelope(
        z
          .object({
            v1_active_users_7d: count('Users who used v1 in the last 7 days; exact, to the hour.', 12),
            v1_active_users_30d: count('The same for the last 30 days.', 57),
            v1_live_tokens: count('Tokens of v1 that still work; exact.', 214),
            v2_active_users_30d: count(
              'Users who signed in to v2 or refreshed in the last 30 days; counted once an hour.',
              9310,
            ),
            as_of: Timestamp.meta({ description: 'When the figures of v1 were counted: now.' }),
            sunset_at: Timestamp.nullable().meta({
              description: 'The shutdown date of v1; null while there is none.',
              example: null,
            }),
          })
          .meta({ id: 'Migration', description: 'Who is left on v1, beside who uses v2.' }),
      ),
    },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'migration:read', audit: null, errors: [] }),
  },
});
