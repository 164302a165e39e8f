// The days of a request for statistics.
import { limits } from '@foyer/contract';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Days are dates in UTC such as 2026-01-31. */
export function dayRange(
  query: { from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string; days: string[] } | { fields: Record<string, string[]> } {
  const { max, default: usual } = limits.statsDays;
  const to = query.to ?? today;
  const from = query.from ?? later(to, 1 - usual);
  if (from > to) return { fields: { from: [`must not be after ${to}, the last day`] } };
  const count = (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1;
  if (count > max) return { fields: { from: [`must be at most ${max} days back from the last day, ${to}`] } };
  return { from, to, days: Array.from({ length: count }, (_, days) => later(from, days)) };
}

function later(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10);
}
