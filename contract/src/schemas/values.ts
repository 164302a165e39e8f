// Values that many endpoints share: ids, timestamps and integers.
import * as z from 'zod';
import { text } from '../input-values.js';

export function integer({ min, max }: { min: number; max: number }) {
  return z.number().int().min(min).max(max);
}

/** Any JSON value. zod requires its key anyway; the refinement makes the OpenAPI document say so. */
export const AnyValue = z.unknown().refine((value): boolean => value !== undefined, 'is missing');

/** An integer in a path or query: decimal digits only, so that each number has one spelling; `1e1` is rejected. */
export function inDigits({ min, max }: { min: number; max: number }) {
  // The text is used only for what is no such number: one for every issue would also replace those of the bounds.
  const error = ({ code }: { code: string }) =>
    code === 'invalid_type' ? 'must be a whole number in decimal digits' : undefined;
  const number = z.int({ error }).min(min).max(max);
  return z.preprocess(
    (given) => (typeof given === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(given) ? Number(given) : given),
    number,
  );
}

/** Is passed to `z.preprocess`: zod drops the key `__proto__` when it copies an object; it is rejected, not silently lost. */
export function requirePlainNames<Given>(given: Given, context: z.RefinementCtx, what: string): Given {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: `cannot be the name of ${what}` });
  }
  return given;
}

export const Ulid = text({ max: 26, error: 'must be a ULID' })
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID')
  .meta({ description: 'A ULID.', example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB' });

export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/, 'must be a UTC timestamp with microseconds')
  .meta({
    description: 'ISO 8601, UTC, with microseconds.',
    format: 'date-time',
    example: '2026-01-02T03:04:05.678000Z',
  });

/**
 * A time in a request: ISO 8601 with an offset, as standard libraries write it: also in lower case (RFC 3339, section 5.6), and
 * with an offset without a colon. An unencoded `+` in a query arrives as a space, which can only be the sign of the offset. It
 * is converted to a `Timestamp`, truncated to the microsecond.
 */
export const InstantInput = text({ max: 40 })
  .overwrite((text) => text.trim().toUpperCase())
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+\- ]\d\d(:?\d\d)?)$/,
    'must be an ISO 8601 time such as 2026-01-02T03:04:05Z',
  )
  .transform((text, context) => {
    const date = new Date(text.replace(/[+\- ](\d\d):?(\d\d)?$/, withColon));
    const year = date.getUTCFullYear();
    // An offset can move a time outside the years of a timestamp, and `Date` turns the 30th of February into a day in
    // March.
    if (!(year >= 1 && year <= 9_999 && z.iso.date().safeParse(text.slice(0, 10)).success)) {
      context.addIssue({ code: 'custom', message: 'must be a valid date and time' });
      return z.NEVER;
    }
    const fraction = (/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0').slice(0, 6);
    return `${date.toISOString().slice(0, 19)}.${fraction}Z`;
  })
  .meta({ description: 'ISO 8601 with an offset.', format: 'date-time', example: '2026-01-02T03:04:05Z' });

/** `Date` reads an offset with a colon only; a space is the sign that a query has lost. */
function withColon(offset: string, hours: string, minutes = '00'): string {
  return `${offset.startsWith('-') ? '-' : '+'}${hours}:${minutes}`;
}
