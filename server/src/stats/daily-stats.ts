// GET /admin/stats: the counters of each day, with zeros where nothing was counted, and the size of the app.
import { type DailyStats, type StatsTotals, sessionMethods } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { dayOf, timestamp } from '../lib/timestamp.js';
import { dayRange } from './daily-stats-rules.js';
import { countUsers, listDailyCounts } from './store.js';

const errorPrefix = 'errors.';

export async function dailyStats(
  deps: Pick<Deps, 'prisma' | 'clock' | 'dailyCounters'>,
  appId: string,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<{ days: DailyStats[]; totals: StatsTotals }> {
  const range = dayRange(query, dayOf(deps.clock.now()));
  if ('fields' in range) throw new ApiError('request/validation-failed', { fields: range.fields });
  // Includes what this instance has not written yet.
  await deps.dailyCounters.flush();
  const days = new Map(range.days.map((day) => [day, new Map<string, number>()]));
  for (const { day, name, count } of await listDailyCounts(deps.prisma, appId, range))
    days.get(day)?.set(name, count);
  return {
    days: [...days].map(([day, counts]) => serializeDay(day, counts)),
    totals: {
      users: await countUsers(deps.prisma, appId),
      as_of: timestamp(deps.clock.now()),
    },
  };
}

function serializeDay(date: string, counts: Map<string, number>): DailyStats {
  const count = (name: string) => counts.get(name) ?? 0;
  const errors = [...counts].filter(([name]) => name.startsWith(errorPrefix)).sort();
  return {
    date,
    sign_ups: count('sign_ups'),
    sign_ups_by_backend: count('sign_ups.backend'),
    sign_ins: Object.fromEntries(
      sessionMethods.map((method) => [method, count(`sign_ins.${method}`)]),
    ) as DailyStats['sign_ins'],
    failed_sign_ins: count('failed_sign_ins'),
    second_factor_sign_ins: count('second_factor_sign_ins'),
    failed_second_factors: count('failed_second_factors'),
    active_users: count('active_users'),
    v1_active_users: count('v1_active_users'),
    errors: Object.fromEntries(errors.map(([name, times]) => [name.slice(errorPrefix.length), times])),
  };
}
