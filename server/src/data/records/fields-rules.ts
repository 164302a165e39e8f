// Limits on a record's fields: depth, number and length of keys, no leading `$`, total size.
import { hasAtMostCharacters, limits } from '@foyer/contract';
import type { Fields } from '../../lib/json-rules.js';

/** The valid fields as JSON, the first violation by dotted path, or `too-large`. */
export type FieldsVerdict =
  | { json: string; bytes: number }
  | { invalid: { path: string; sentence: string } }
  | 'too-large';

const { recordBytes, recordDepth, recordKeys, recordValues, maxKeyCharacters } = limits;

export function checkFields(fields: Fields): FieldsVerdict {
  const invalid = firstViolation(fields);
  if (invalid) return { invalid };
  const json = JSON.stringify(fields);
  const bytes = Buffer.byteLength(json);
  return bytes > recordBytes ? 'too-large' : { json, bytes };
}

/** Descends no deeper than the limit, which bounds the recursion. */
function firstViolation(fields: Fields): { path: string; sentence: string } | null {
  let keys = 0;
  let values = 0;

  function visit(value: unknown, path: string, depth: number): { path: string; sentence: string } | null {
    if (typeof value !== 'object' || value === null) return null;
    if (depth > recordDepth) return { path, sentence: `is nested deeper than ${recordDepth} levels` };
    const named = !Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      const below = `${path}.${key}`;
      values += 1;
      if (values > recordValues) return { path: 'fields', sentence: `has more than ${recordValues} values` };
      if (named) {
        keys += 1;
        if (keys > recordKeys) return { path: 'fields', sentence: `has more than ${recordKeys} keys` };
        const sentence = keyViolation(key);
        if (sentence) return { path: below, sentence };
      }
      const violation = visit(child, below, depth + 1);
      if (violation) return violation;
    }
    return null;
  }

  return visit(fields, 'fields', 1);
}

function keyViolation(key: string): string | null {
  if (key.startsWith('$')) return 'has a key that starts with $';
  return hasAtMostCharacters(key, maxKeyCharacters)
    ? null
    : `has a key of more than ${maxKeyCharacters} characters`;
}
