// Parses the expiry of a secret key.
import { dayMilliseconds } from '../lib/timestamp.js';
import { UsageError } from './argv.js';

const maxDays = 36_500;

/** A number of days from now (`90` or `90d`), a date (its first moment in UTC), or a time with its offset. */
export function expiryOf(word: string, now: Date): Date {
  const days = /^(\d{1,5})d?$/.exec(word)?.[1];
  const expiresAt =
    days === undefined ? timeOf(word) : new Date(now.getTime() + Number(days) * dayMilliseconds);
  if (!expiresAt || Number(days ?? 0) > maxDays) {
    throw new UsageError('--expires must be a date such as 2027-01-31, or a number of days');
  }
  if (expiresAt <= now) throw new UsageError('--expires must be in the future');
  return expiresAt;
}

function timeOf(word: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(word)) return null;
  const time = new Date(word);
  if (Number.isNaN(time.getTime())) return null;
  // Date would read the 31st of February as the 3rd of March.
  const day = Number(word.slice(8, 10));
  return day <= new Date(Date.UTC(Number(word.slice(0, 4)), Number(word.slice(5, 7)), 0)).getUTCDate()
    ? time
    : null;
}
