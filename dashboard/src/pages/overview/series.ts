// The lines and bars of the charts, from the daily statistics.
import type { DailyStats } from '@foyer/contract';
import type { z } from 'zod';
import { signInMethods } from '../../components/sign-in-methods.ts';

export type Day = z.infer<typeof DailyStats>;

export type Series = { name: string; color: string; of: (day: Day) => number };

const colors = ['slate.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.6', 'pink.6'];
const shownErrors = 5;

export function signUpsByUsers({ sign_ups, sign_ups_by_backend }: Day): number {
  return sign_ups - sign_ups_by_backend;
}

export function signUps(days: Day[]): Series[] {
  return [
    { name: 'By users', color: 'slate.6', of: signUpsByUsers },
    ...used(days, {
      name: 'By your server or team',
      color: 'teal.6',
      of: ({ sign_ups_by_backend }) => sign_ups_by_backend,
    }),
  ];
}

export function activeUsers(days: Day[]): Series[] {
  return [
    { name: 'v2', color: 'slate.6', of: ({ active_users }) => active_users },
    ...used(days, { name: 'v1', color: 'orange.6', of: ({ v1_active_users }) => v1_active_users }),
  ];
}

/** A series that is zero throughout would only take place in the legend. */
function used(days: Day[], series: Series): Series[] {
  return total(days, series.of) > 0 ? [series] : [];
}

/** Methods without a use in the period are left out. */
export function signIns(days: Day[]): Series[] {
  const series = Object.entries(signInMethods).map(([method, name], index) => ({
    name,
    color: colors[index] as string,
    of: (day: Day) => day.sign_ins[method as keyof typeof signInMethods],
  }));
  return [
    ...series.filter(({ of }) => total(days, of) > 0),
    { name: 'Failed', color: 'red.6', of: ({ failed_sign_ins }) => failed_sign_ins },
  ];
}

/** The most frequent codes, and the sum of the others. */
export function errors(days: Day[]): Series[] {
  const totals = new Map<string, number>();
  for (const day of days) {
    for (const [code, count] of Object.entries(day.errors)) totals.set(code, (totals.get(code) ?? 0) + count);
  }
  const codes = [...totals].sort(([, a], [, b]) => b - a).map(([code]) => code);
  const shown = codes.slice(0, shownErrors);
  const others = codes.slice(shownErrors);
  const count = (day: Day, wanted: string[]) =>
    wanted.reduce((sum, code) => sum + (day.errors[code] ?? 0), 0);
  return [
    ...shown.map((code, index) => ({
      name: code,
      color: colors[index] as string,
      of: (day: Day) => count(day, [code]),
    })),
    ...(others.length > 0
      ? [{ name: 'Other codes', color: 'gray.6', of: (day: Day) => count(day, others) }]
      : []),
  ];
}

export function total(days: Day[], of: (day: Day) => number): number {
  return days.reduce((sum, day) => sum + of(day), 0);
}

export function signInsOf({ sign_ins }: Day): number {
  return Object.values(sign_ins).reduce((sum, count) => sum + count, 0);
}

/** True if no user has done anything; errors do not count as use of the app. */
export function isEmpty(days: Day[]): boolean {
  return total(days, (day) => day.sign_ups + signInsOf(day) + day.active_users + day.v1_active_users) === 0;
}
