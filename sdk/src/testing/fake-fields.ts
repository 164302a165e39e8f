// Checks the fields of a record as the real service does: their depth, keys, numbers and size.
import { Refusal } from './fake-answer.js';
import { bytesOf } from './fake-input.js';

const maxLevels = 20;
const maxKeys = 2_000;
const maxValues = 20_000;
const maxKeyCharacters = 256;
const maxBytes = 1_024 * 1_024;
/** JavaScript writes integers from here on with an exponent, and therefore exactly. */
const writtenWithExponent = 1e21;

export function requireStorable(fields: Record<string, unknown>): void {
  let keys = 0;
  let values = 0;

  function visit(value: unknown, path: string, level: number): void {
    if (typeof value === 'number' && !isExact(value)) {
      throw invalid(path, 'must be a finite number and, if an integer, exactly representable');
    }
    if (typeof value !== 'object' || value === null) return;
    if (level > maxLevels) throw invalid(path, `is nested deeper than ${maxLevels} levels`);
    for (const [key, child] of Object.entries(value)) {
      const below = `${path}.${key}`;
      values += 1;
      if (values > maxValues) throw invalid('fields', `has more than ${maxValues} values`);
      if (!Array.isArray(value)) {
        keys += 1;
        if (keys > maxKeys) throw invalid('fields', `has more than ${maxKeys} keys`);
        if (key.startsWith('$')) throw invalid(below, 'has a key that starts with $');
        if ([...key].length > maxKeyCharacters) {
          throw invalid(below, `has a key of more than ${maxKeyCharacters} characters`);
        }
      }
      visit(child, below, level + 1);
    }
  }

  visit(fields, 'fields', 1);
  if (bytesOf(JSON.stringify(fields)) > maxBytes) throw new Refusal('data/record-too-large');
}

function isExact(value: number): boolean {
  if (!Number.isInteger(value)) return Number.isFinite(value);
  return Number.isSafeInteger(value) || Math.abs(value) >= writtenWithExponent;
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('data/invalid-fields', { [path]: [message] });
}
