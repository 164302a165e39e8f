// Daily statistics of an app: counters that the service increments as things happen.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { listUpTo } from '../answer-values.js';
import { statsDays } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope } from '../schemas/envelopes.js';
import { DailyStats, DayInput, StatsTotals } from '../schemas/stats.js';

const c = initContract();

export const stats = c.router({
  daily: {
    method: 'GET',
    path: '/admin/stats',
    summary: 'Read daily statistics',
    description:
      `Every day from \`from\` to \`to\`, both included, oldest first: ${statsDays.default} days by default, at most ` +
      `${statsDays.max}, which is also how long they are stored. Counts appear within about ten seconds; those of the ` +
      'last few seconds are lost if the service crashes.',
    query: z.strictObject({
      from: DayInput.optional().meta({
        description: `The first day in UTC; ${statsDays.default - 1} days before \`to\` by default.`,
        example: '2026-01-02',
      }),
      to: DayInput.optional().meta({
        description: 'The last day in UTC; today by default.',
        example: '2026-01-31',
      }),
    }),
    responses: {
      200: dataEnvelope(
        z.object({
          days: listUpTo(statsDays.max, DailyStats).meta({ description: 'One entry per day, oldest first.' }),
          totals: StatsTotals,
        }),
      ),
    },
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'stats:read', audit: null, errors: [] }),
  },
});
