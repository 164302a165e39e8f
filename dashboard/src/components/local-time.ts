// Times of `datetime-local` inputs, which are in the reader's time zone.

export function localTime(at: Date, precision: 'seconds' | 'minutes'): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, precision === 'seconds' ? 19 : 16);
}

export function instantOf(local: string): string {
  return new Date(local).toISOString();
}
