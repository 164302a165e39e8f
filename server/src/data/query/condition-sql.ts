// Conditions on JSON values as SQL. Paths and operands are bound, never written into the text. Values are judged as jsonb:
// its equality is ours, and so is its order of numbers and of booleans.
import { Prisma } from '@foyer/prisma';
import { type Condition, rangeOps } from './query.js';
import { isNested, typeOf, type ValueType } from './sort-key.js';

const microseconds = Prisma.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`);

/** Each reads the text of the record once more; up to so many cost less than parsing it whole. */
const keysFromText = 3;

/** Where the values at these paths are taken from: the text of a record, or all of it parsed, once. */
export function sourceOf(paths: string[]): 'text' | 'parsed' {
  const keys = paths.filter((path) => !path.startsWith('$')).flatMap((path) => path.split('.'));
  return keys.length <= keysFromText ? 'text' : 'parsed';
}

/**
 * The value at a path, as jsonb; NULL where there is none. Of the relations `c`, with the columns of records, and `j`, with
 * the parsed fields, where they are the source.
 */
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
  // `strict`, which enters no array, and silent about what is not there. `->` would copy what lies below each key.
  const steps = keys.map((key) => `.${JSON.stringify(key)}`).join('');
  return Prisma.sql`jsonb_path_query_first(j.fields, ${`strict $${steps}`}::jsonpath, '{}', true)`;
}

/**
 * Arrays and objects have no order in SQL that is ours, and its ways to look through an array take long: `matches` judges
 * these when they come, and SQL leaves out no more than what cannot meet them.
 */
export function isJudgedLater({ op, value }: Condition): boolean {
  return op.startsWith('array-') || (rangeOps.includes(op) && isNested(value));
}

/** `v` is a jsonb value, or NULL; the condition is true, false or NULL. */
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

/** Of an `array-contains`: what it leaves out need not come. */
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
  // CASE, so that nothing large of another type is made into text.
  return Prisma.sql`CASE WHEN ${isOfType(v, type)} THEN ${compared} ELSE false END`;
}
