// `Query` inside a transaction of Prisma's, for statements that run by themselves or as part of a transaction.
import type { Query } from './database.js';
import type { Prisma } from './generated/client.js';

export function queryIn(tx: Prisma.TransactionClient): Query {
  return <Row>({ text, values }: { text: string; values: unknown[] }) =>
    tx.$queryRawUnsafe<Row[]>(text, ...values);
}
