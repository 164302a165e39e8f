// The error messages of validation, for schemas that have none of their own: they continue the name of the field ("email must
// be a string") and use the terms of JSON. Each caller passes the map to zod: `schema.safeParse(value, { error: errorMap })`.
import type { z } from 'zod';

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const units: Record<string, string> = { string: 'character', array: 'item' };

export function errorMap(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : wrongValue(issue);
    case 'too_small':
      if (issue.minimum === 1 && issue.origin in units) return 'must not be empty';
      return bound(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `has ${issue.keys.length === 1 ? 'an unknown key' : 'unknown keys'}: ${listed(issue.keys)}`;
    case 'invalid_key':
      return 'has a key that is not allowed';
    default:
      return 'is not valid';
  }
}

function wrongValue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return `must be ${types[issue.expected] ?? 'of another type'}`;
  if (issue.code !== 'invalid_value') return 'is not valid';
  return `must be ${issue.values.length === 1 ? '' : 'one of '}${listed(issue.values)}`;
}

function bound(origin: string, side: 'at least' | 'at most', amount: number | bigint): string {
  const unit = units[origin];
  return unit ? `must have ${side} ${amount} ${unit}${amount === 1 ? '' : 's'}` : `must be ${side} ${amount}`;
}

/**
 * The longest value, and the longest list of values, that a message quotes: those of a request, or those that are allowed. A
 * message has at most 1,000 characters.
 */
const maxValueCharacters = 100;
const maxListCharacters = 900;

function listed(values: readonly unknown[]): string {
  let text = '';
  for (const [place, value] of values.entries()) {
    const next = quoted(value);
    if (text.length + next.length > maxListCharacters) return `${text} and ${values.length - place} more`;
    text += place === 0 ? next : `, ${next}`;
  }
  return text;
}

function quoted(value: unknown): string {
  const isLong = typeof value === 'string' && value.length > maxValueCharacters;
  return JSON.stringify(isLong ? `${value.slice(0, maxValueCharacters)}…` : value);
}
