// How many users still use v1, for the backend of the app.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
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
    summary: 'Count the users of v1',
    description:
      'When no user is left on v1, it can be switched off (`v1_sunset_at`) without locking out any of them.',
    responses: {
      200: dataEnvelope(
        z
          .object({
            v1_active_users_7d: count('Users who used v1 in the last 7 days; exact to the hour.', 12),
            v1_active_users_30d: count('The same for the last 30 days.', 57),
            v1_live_tokens: count('Valid tokens of v1; exact.', 214),
            v2_active_users_30d: count(
              'Users who signed in to v2 or refreshed in the last 30 days; updated hourly.',
              9310,
            ),
            as_of: Timestamp.meta({
              description: 'When the figures of v1 were counted: the time of the call.',
            }),
            sunset_at: Timestamp.nullable().meta({
              description: 'The shutdown date of v1; null if none is set.',
              example: null,
            }),
          })
          .meta({ id: 'Migration', description: 'The numbers of users of v1 and v2.' }),
      ),
    },
    metadata: meta({
      auth: 'admin',
      rateLimit: 'admin',
      scope: 'migration:read',
      audit: null,
      // The call counts the users of v1.
      readsManyRows: true,
      errors: [],
    }),
  },
});
