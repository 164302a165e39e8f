// How a period compares with the one before it, and whether sign-ins have dropped.
import { type Day, signInsOf, total } from './series.ts';

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** Undefined if there is no earlier period. */
export function changeText(now: Day[], before: Day[] | null, of: (day: Day) => number): string | undefined {
  if (before === null) return undefined;
  const earlier = total(before, of);
  const days = `the ${before.length} days before`;
  if (earlier === 0) return `0 in ${days}.`;
  const change = (total(now, of) - earlier) / earlier;
  return `${percent.format(change)}, ${earlier.toLocaleString()} in ${days}.`;
}

const comparedDays = 7;
/** Below it, a quiet day is no news. */
const leastUsual = 20;

/** Yesterday is compared, since today is not over: a drop is less than half of the usual day. */
export function dropOfSignIns(days: Day[]): { yesterday: number; usual: number } | null {
  const yesterday = days.at(-2);
  const week = days.slice(-2 - comparedDays, -2);
  if (!yesterday || week.length < comparedDays) return null;
  const usual = Math.round(total(week, signInsOf) / comparedDays);
  const signIns = signInsOf(yesterday);
  return usual >= leastUsual && signIns < usual / 2 ? { yesterday: signIns, usual } : null;
}
