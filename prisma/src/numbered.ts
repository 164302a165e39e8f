// Statements whose text is built once: each value has one number, however often it occurs in the text.
import type { Query, Statement } from './database.js';
import { Prisma } from './generated/client.js';

/**
 * `types` names every value with its type in PostgreSQL; `build` writes the statement with them. For `Database.query`, which
 * explains `isQuick`.
 */
export function numbered<Values extends Record<string, unknown>>(
  types: { [Name in keyof Values]: string },
  build: (value: { [Name in keyof Values]: Prisma.Sql }) => Prisma.Sql,
  { isQuick = false } = {},
): (values: Values) => Statement {
  const names: (keyof Values)[] = Object.keys(types);
  const numbers = names.map((name, place) => [name, Prisma.raw(`$${place + 1}::${types[name]}`)]);
  const { text } = build(Object.fromEntries(numbers));
  return (values) => ({ text, values: names.map((name) => values[name]), isQuick });
}

/** `Query` inside a transaction of Prisma's, for statements that run by themselves or as part of a transaction. */
export function queryIn(tx: Prisma.TransactionClient): Query {
  return <Row>({ text, values }: Statement) => tx.$queryRawUnsafe<Row[]>(text, ...values);
}
