// Times of `datetime-local` inputs, which are in the reader's time zone.

export function localTime(at: Date, precision: 'seconds' | 'minutes'): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, precision === 'seconds' ? 19 : 16);
}

/** A time that cannot be read, such as one with a year of five digits, stays as it is: the service refuses it. */
export function instantOf(local: string): string {
  return isLocalTime(local) ? new Date(local).toISOString() : local;
}

export function isLocalTime(local: string): boolean {
  return !Number.isNaN(Date.parse(local));
}
