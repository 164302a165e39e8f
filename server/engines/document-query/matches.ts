// Whether a value (undefined if absent) matches a condition, with Firestore's semantics. condition-sql.ts has the same rules
// in SQL; this is for the conditions that SQL cannot decide, and for records that changed before they were read.
import type { Condition } from './query.js';
import { compareValues, isNested, sortKeyOf, typeOf } from './sort-key.js';

export function matches(value: unknown, { op, value: operand }: Pick<Condition, 'op' | 'value'>): boolean {
  if (value === undefined) return false;
  switch (op) {
    case '==':
      return equal(value, operand);
    case '!=':
      return value !== null && !equal(value, operand);
    case 'in':
      return (operand as unknown[]).some((each) => equal(value, each));
    case 'not-in':
      return value !== null && !(operand as unknown[]).some((each) => each === null || equal(value, each));
    case 'array-contains':
      return Array.isArray(value) && includesAny(value, [operand]);
    case 'array-contains-any':
      return Array.isArray(value) && includesAny(value, operand as unknown[]);
    default:
      return inRange(value, op, operand);
  }
}

function inRange(value: unknown, op: '<' | '<=' | '>' | '>=', operand: unknown): boolean {
  if (typeOf(value) !== typeOf(operand)) return false;
  const order = compareValues(value, operand);
  if (order === 0) return op === '<=' || op === '>=';
  return op.startsWith('<') === order < 0;
}

function equal(left: unknown, right: unknown): boolean {
  return compareValues(left, right) === 0;
}

/** One pass over the elements, of which a record may have half a million, however many values are wanted. */
function includesAny(elements: unknown[], wanted: unknown[]): boolean {
  const plain = new Set(wanted.filter((each) => !isNested(each)));
  const keys = new Set(wanted.filter(isNested).map(keyText));
  return elements.some((each) =>
    isNested(each) ? keys.size > 0 && keys.has(keyText(each)) : plain.has(each),
  );
}

function keyText(value: unknown): string {
  return sortKeyOf(value).toString('latin1');
}
