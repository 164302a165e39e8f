// Mutations of SQL in template literals: a lock that is not taken, and a condition that is not asked.
import type { Mutation } from './mutations.js';

const isSql = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|JOIN)\b/;
const locks = /\s+FOR (UPDATE|NO KEY UPDATE|KEY SHARE|SHARE)( OF \w+)?( SKIP LOCKED| NOWAIT)?/g;
const waits = /\s+(SKIP LOCKED|NOWAIT)/g;
/** What follows is the other end of the range. */
const isRange = /\bBETWEEN\s+(\S+|\$\{[^}]*\})$/;
const ends =
  /^(\s+(AND|OR|RETURNING|ORDER|GROUP|LIMIT|FOR|ON|UNION|THEN|WHEN|FROM|SET|HAVING|FETCH)\b|\)|;|`)/;

/** Positions in the literal. */
export function sqlMutations(literal: string): Mutation[] {
  if (!isSql.test(literal)) return [];
  const found: Mutation[] = [];
  for (const lock of [...literal.matchAll(locks), ...literal.matchAll(waits)]) {
    found.push({ kind: 'sql', start: lock.index, end: lock.index + lock[0].length, text: '' });
  }
  for (const and of literal.matchAll(/\s+AND\b/g)) {
    if (isRange.test(literal.slice(0, and.index))) continue;
    const end = endOfCondition(literal, and.index + and[0].length);
    if (end !== undefined) found.push({ kind: 'sql', start: and.index, end, text: '' });
  }
  for (const where of literal.matchAll(/\bWHERE\s+/g)) {
    const start = where.index + where[0].length;
    const end = endOfCondition(literal, start);
    if (end === undefined || isRange.test(literal.slice(start, end))) continue;
    found.push({ kind: 'sql', start, end, text: 'true' });
  }
  return found;
}

/** Where the condition that begins at `from` ends, outside of parentheses and of what is inserted with `${}`. */
function endOfCondition(literal: string, from: number): number | undefined {
  let depth = 0;
  for (let place = from; place < literal.length; place += 1) {
    const char = literal[place];
    if (depth === 0 && place > from && ends.test(literal.slice(place))) return place;
    if (char === '(' || char === '{') depth += 1;
    if (char === ')' || char === '}') depth -= 1;
    if (depth < 0) return undefined;
  }
  return undefined;
}
