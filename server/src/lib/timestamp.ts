// Timestamps on the wire: ISO 8601 UTC with six fractional digits. Date has milliseconds, so the last three are zeros.

export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

export function before(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() - milliseconds);
}

/** The day in UTC, such as 2026-01-31. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export const hourMilliseconds = 60 * 60 * 1_000;
export const dayMilliseconds = 24 * hourMilliseconds;
