// What a record's fields may hold: depth, number of keys, their length, no `$` in front, and the size of it all. The same
// rules judge what was sent and what a merge makes of it.
import { hasAtMostCharacters, limits } from '@foyer/contract';
import type { Fields } from './merge-rules.js';

/** What is wrong, by dotted path; `too-large` where it is nothing but the size. */
export type FieldsVerdict =
  | { kept: string; bytes: number }
  | { invalid: { path: string; sentence: string } }
  | 'too-large';

const { recordBytes, recordDepth, recordKeys, recordValues, maxKeyCharacters } = limits;

export function judgeFields(fields: Fields): FieldsVerdict {
  const invalid = firstFault(fields);
  if (invalid) return { invalid };
  const kept = JSON.stringify(fields);
  const bytes = Buffer.byteLength(kept);
  return bytes > recordBytes ? 'too-large' : { kept, bytes };
}

/** Looks no deeper than allowed, so that recursion has an end. */
function firstFault(fields: Fields): { path: string; sentence: string } | null {
  let keys = 0;
  let values = 0;

  function look(value: unknown, path: string, depth: number): { path: string; sentence: string } | null {
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
        const sentence = faultOfKey(key);
        if (sentence) return { path: below, sentence };
      }
      const fault = look(child, below, depth + 1);
      if (fault) return fault;
    }
    return null;
  }

  return look(fields, 'fields', 1);
}

function faultOfKey(key: string): string | null {
  if (key.startsWith('$')) return 'has a key that starts with $';
  return hasAtMostCharacters(key, maxKeyCharacters)
    ? null
    : `has a key of more than ${maxKeyCharacters} characters`;
}
