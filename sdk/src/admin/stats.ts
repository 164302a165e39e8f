// `admin.stats`: the daily statistics of the app.

import type { RepeatableCallOptions } from '../api.js';
import type { StatsQuery, StatsReport } from '../generated/admin-models.js';
import type { AdminCall } from './call.js';

export interface AdminStats {
  /**
   * Every day from `from` to `to`, oldest first; by default the last 30 days, at most 400.
   *
   * @example
   * const { days } = await admin.stats.daily({ from: '2026-01-01', to: '2026-01-31' });
   */
  daily(query?: StatsQuery, options?: RepeatableCallOptions): Promise<StatsReport>;
}

/** @internal */
export function createAdminStats(call: AdminCall): AdminStats {
  return { daily: (query = {}, options) => call<StatsReport>('GET /admin/stats', { query }, options) };
}
