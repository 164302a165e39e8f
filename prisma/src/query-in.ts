// `Query` inside a transaction of Prisma's, for statements that run on their own or as a part of more.
import type { Query } from './database.js';
import type { Prisma } from './generated/client.js';

export function queryIn(tx: Prisma.TransactionClient): Query {
  return <Row>({ text, values }: { text: string; values: unknown[] }) =>
    tx.$queryRawUnsafe<Row[]>(text, ...values);
}
