// The daily statistics of an app.
import * as z from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { firstStatsDay } from '../limits.js';
import { sessionMethods } from './sessions.js';

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
    sign_ins: z.object(signIns).meta({
      description: 'Sessions started, by sign-in method; a sign-up that starts a session is counted.',
      example: { password: 120, email_code: 40, provider_a: 61, provider_b: 12, v1_exchange: 3 },
    }),
    failed_sign_ins: count(
      'Sign-ins rejected for a wrong password, code or token, or because the account is disabled.',
      17,
    ),
    active_users: count('Users who signed in or refreshed a session on this day, with v2.', 410),
    v1_active_users: count('Users who used v1 on this day; a user of both versions is counted in both.', 25),
    errors: z
      .record(textUpTo(100), Count)
      .meta({ description: 'Error responses, by code.', example: { 'auth/invalid-credential': 17 } }),
  })
  .meta({ id: 'DailyStats', description: 'The statistics of one day.' });
export type DailyStats = z.infer<typeof DailyStats>;
