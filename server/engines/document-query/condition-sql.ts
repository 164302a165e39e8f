// Conditions on JSON values as SQL. Paths and operands are bound, never part of the text. Values are compared as jsonb, whose
// equality and order of numbers and booleans are the same as ours.
import { Prisma } from '@foyer/prisma';
import { type Condition, rangeOps } from './query.js';
import { isNested, typeOf, type ValueType } from './sort-key.js';

const microseconds = Prisma.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`);

/** Each key reads the text of the record once; up to this many cost less than parsing all of it. */
const maxKeysFromText = 3;

/** Whether the values at these paths are extracted from the JSON text, or from the fields parsed once to jsonb. */
export function sourceOf(paths: string[]): 'text' | 'parsed' {
  const keys = paths.filter((path) => !path.startsWith('$')).flatMap((path) => path.split('.'));
  return keys.length <= maxKeysFromText ? 'text' : 'parsed';
}

/** The value at a path as jsonb, or NULL. Reads the relations `c` (columns of records) and, if parsed, `j` (the fields). */
export function valueSql(path: string, source: 'text' | 'parsed'): Prisma.Sql {
  if (path === '$id') return Prisma.sql`to_jsonb(c.id)`;
  if (path === '$owner_uid') return Prisma.sql`COALESCE(to_jsonb(c.owner_uid), 'null'::jsonb)`;
  if (path === '$created_at')
    return Prisma.sql`to_jsonb(to_char(c.created_at AT TIME ZONE 'UTC', ${microseconds}))`;
  if (path === '$updated_at')
    return Prisma.sql`to_jsonb(to_char(c.updated_at AT TIME ZONE 'UTC', ${microseconds}))`;
  const keys = path.split('.');
  if (source === 'text') {
    const steps = keys.map((key) => Prisma.sql` -> ${key}::text`);
    return Prisma.sql`(c.fields${Prisma.join(steps, '')})::jsonb`;
  }
  // `strict` does not enter arrays; silent mode returns NULL for an absent key. `->` would copy each subtree.
  const steps = keys.map((key) => `.${JSON.stringify(key)}`).join('');
  return Prisma.sql`jsonb_path_query_first(j.fields, ${`strict $${steps}`}::jsonpath, '{}', true)`;
}

/** Lossy in SQL: jsonb orders arrays and objects differently, and searches arrays slowly. `matches` rechecks the result. */
export function needsRecheck({ op, value }: Condition): boolean {
  return op.startsWith('array-') || (rangeOps.includes(op) && isNested(value));
}

/** `v` is a jsonb value or NULL; the result is true, false or NULL. */
export function conditionSql(v: Prisma.Sql, { op, value }: Condition): Prisma.Sql {
  switch (op) {
    case '==':
      return equalSql(v, value);
    case '!=':
      return Prisma.sql`(jsonb_typeof(${v}) <> 'null' AND NOT ${equalSql(v, value)})`;
    case 'in':
      return anyEqualSql(v, value as unknown[]);
    case 'not-in':
      if ((value as unknown[]).includes(null)) return Prisma.sql`false`;
      return Prisma.sql`(jsonb_typeof(${v}) <> 'null' AND NOT ${anyEqualSql(v, value as unknown[])})`;
    case 'array-contains':
    case 'array-contains-any':
      return isOfType(v, 'array');
    default:
      return rangeSql(v, op, value);
  }
}

/** A prefilter for `array-contains`. */
export function containsSql(v: Prisma.Sql, value: unknown): Prisma.Sql {
  return Prisma.sql`${v} @> ${JSON.stringify([value])}::jsonb`;
}

function isOfType(v: Prisma.Sql, type: ValueType): Prisma.Sql {
  return Prisma.sql`jsonb_typeof(${v}) = ${type}::text`;
}

function equalSql(v: Prisma.Sql, value: unknown): Prisma.Sql {
  return Prisma.sql`${v} = ${JSON.stringify(value)}::jsonb`;
}

function anyEqualSql(v: Prisma.Sql, values: unknown[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(
    values.map((value) => equalSql(v, value)),
    ' OR ',
  )})`;
}

function rangeSql(v: Prisma.Sql, op: '<' | '<=' | '>' | '>=', value: unknown): Prisma.Sql {
  const type = typeOf(value);
  if (isNested(value)) return isOfType(v, type);
  const operator = Prisma.raw(op);
  const compared =
    typeof value === 'string'
      ? Prisma.sql`(${v} #>> '{}') COLLATE "C" ${operator} ${value}::text`
      : Prisma.sql`${v} ${operator} ${JSON.stringify(value)}::jsonb`;
  // CASE, so that a large value of another type is not converted to text.
  return Prisma.sql`CASE WHEN ${isOfType(v, type)} THEN ${compared} ELSE false END`;
}
