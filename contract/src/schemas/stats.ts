// The daily statistics of an app.
import * as z from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { firstStatsDay, statsUsers } from '../limits.js';
import { sessionMethods } from './sessions.js';
import { Timestamp } from './values.js';

const notADay = 'must be a date such as 2026-01-31';

export const DayInput = text({ max: 10, error: notADay })
  .refine((day) => z.iso.date().safeParse(day).success, notADay)
  .refine((day) => day >= firstStatsDay, `must not be before ${firstStatsDay}`)
  .meta({ description: 'A day in UTC.', format: 'date', example: '2026-01-31' });

const count = (description: string, example: number) => Count.meta({ description, example });

const signIns = Object.fromEntries(sessionMethods.map((method) => [method, Count])) as Record<
  (typeof sessionMethods)[number],
  typeof Count
>;

export const DailyStats = z
  .object({
    date: textUpTo(10).meta({ description: 'The day in UTC.', format: 'date', example: '2026-01-31' }),
    sign_ups: count('Accounts created by users and by the backend; imports are not counted.', 34),
    sign_ups_by_backend: count('Those of `sign_ups` that the backend or the team created.', 4),
    sign_ins: z.object(signIns).meta({
      description: 'Sessions started, by sign-in method; a sign-up that starts a session is counted.',
      example: {
        password: 120,
        email_code: 40,
        provider_a: 61,
        provider_b: 12,
        v1_exchange: 3,
        passkey: 25,
        provider: 9,
      },
    }),
    failed_sign_ins: count(
      'Sign-ins rejected for a wrong password, code or token, or because the account is disabled.',
      17,
    ),
    second_factor_sign_ins: count('Sessions started after a second step.', 8),
    failed_second_factors: count('Second steps rejected for a wrong proof.', 1),
    active_users: count('Users who signed in or refreshed a session on this day, with v2.', 410),
    v1_active_users: count('Users who used v1 on this day; a user of both versions is counted in both.', 25),
    errors: z
      .record(textUpTo(100), Count)
      .meta({ description: 'Error responses, by code.', example: { 'auth/invalid-credential': 17 } }),
  })
  .meta({ id: 'DailyStats', description: 'The statistics of one day.' });
export type DailyStats = z.infer<typeof DailyStats>;

export const StatsTotals = z
  .object({
    users: Count.max(statsUsers).meta({
      description: `The users of the app now, disabled ones included; ${statsUsers.toLocaleString('en')} if there are more.`,
      example: 12_400,
    }),
    as_of: Timestamp.meta({ description: 'When the statistics were read.' }),
  })
  .meta({ id: 'StatsTotals', description: 'The size of the app now.' });
export type StatsTotals = z.infer<typeof StatsTotals>;
