// Strings and arrays of requests, with the limits of their length. zod's own `.min()` and `.max()` read `length` from
// any value that has one, and throw for {"length": {"toString": 1, "valueOf": 1}}; these checks run only on strings and
// arrays.
import * as z from 'zod';
import { $ZodCheckMaxLength, $ZodCheckMinLength } from 'zod/v4/core';
import { isVisible, linesWithoutControls, withoutControls } from './typed-text.js';

type Limits = { min?: number; max: number };

/**
 * A string of at most `max` code points. A longer one fails before any further check: the cost of trimming, matching
 * and parsing grows with the length, that of normalising with the square of the number of combining characters.
 */
export function text({ min = 0, max, error }: Limits & { error?: string }) {
  const schema = z.string().check(maxLength(max, error));
  return min === 0 ? schema : schema.check(minLength(min));
}

/**
 * A string, of one line unless `lines`, without control characters that is trimmed and normalised to NFC, empty if it shows nothing, and then has at most
 * `max` code points. NFC composes one code point of at most six, so the limit before it refuses nothing that fits after it.
 */
export function trimmedText({ min = 0, max, lines = false }: Limits & { lines?: boolean }) {
  const schema = text({ max: 6 * max, error: `must have at most ${max} characters` })
    .overwrite(lines ? linesWithoutControls : withoutControls)
    .trim()
    .normalize('NFC')
    .overwrite((value) => (isVisible(value) ? value : ''))
    .check(maxLength(max));
  return min === 0 ? schema : schema.check(minLength(min));
}

/** An array of at most `max` items. */
export function list<Item extends z.ZodType>(item: Item, { min = 0, max }: Limits) {
  const schema = z.array(item).check(maxLength(max));
  return min === 0 ? schema : schema.check(minLength(min));
}

/** An optional input. Null, which many clients write for a field without a value, counts as not sent. */
export function optional<Shape extends z.ZodType>(shape: Shape) {
  return z
    .preprocess((given) => given ?? undefined, shape.optional())
    .optional() as unknown as z.ZodOptional<Shape>;
}

/** The same for a text, which also counts as not sent if it is blank, as an empty input of a form. */
export function optionalText<Shape extends z.ZodType<string>>(shape: Shape) {
  const sent = (given: unknown) =>
    typeof given === 'string' && given.trim() === '' ? undefined : (given ?? undefined);
  return z.preprocess(sent, shape.optional()).optional() as unknown as z.ZodOptional<Shape>;
}

/** Is passed to `.check()`: further checks do not run on a longer value. */
export function maxLength(maximum: number, error?: string) {
  const check = { check: 'max_length', maximum, abort: true, when: isMeasurable } as const;
  return new $ZodCheckMaxLength(error === undefined ? check : { ...check, error: () => error });
}

/** A minimum length, to be passed to `.check()`. */
export function minLength(minimum: number) {
  return new $ZodCheckMinLength({
    check: 'min_length',
    minimum,
    when: isMeasurable,
  });
}

function isMeasurable({ value }: z.core.ParsePayload): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
