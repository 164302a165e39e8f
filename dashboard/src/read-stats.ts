// The daily numbers of an app for a number of days, and for as many before, unless the service does not go back so far.
import { limits } from '@foyer/contract';
import type { Api } from './api.ts';
import { serviceNow } from './service-clock.ts';

const dayMilliseconds = 86_400_000;
const usualDays = '30';

/** What the page is asked to show in its address. */
export const otherDays = ['7', '90', '365'];

export function shownDays(asked: string | null | undefined): string {
  return otherDays.find((days) => days === asked) ?? usualDays;
}

export async function readStats(api: Api, days: string, signal?: AbortSignal) {
  // Days are days in UTC.
  const now = serviceNow();
  const wanted = Math.min(2 * Number(days), limits.statsDays.max);
  const query = { from: dayOf(now - (wanted - 1) * dayMilliseconds), to: dayOf(now) };
  const stats = await api.stats.daily(query, { ...(signal && { signal }) });
  return { ...stats, count: Number(days) };
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
