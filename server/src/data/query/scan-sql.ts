// The statements of a query: one filtered batch of a scan, and the number of rows of a scan. See README.md.
import { Prisma } from '@foyer/prisma';
import {
  conditionSql,
  containsSql,
  isNested,
  needsRecheck,
  type Query,
  type Scan,
  sourceOf,
  valueSql,
} from '../../../engines/document-query/index.js';
import { type CollectionScope, readable } from './store.js';

const [asc, desc] = [Prisma.raw('ASC'), Prisma.raw('DESC')];

export type Batch = { position: Scan['position']; limit: number; maxBytes: number };

/**
 * The next rows of a scan, up to `limit` and `maxBytes`. Each result row is a matching record with the scan's new position and
 * the batch counts; without a match there is one row whose id is null. `v0`, `v1`, … are the values of the orders as JSON text.
 * `fields` is selected only where an order value is an array or object, or a condition needs a recheck.
 */
export function batchStatement(
  where: CollectionScope,
  query: Query,
  ownerUid: string | null,
  scan: Scan,
  batch: Batch,
): Prisma.Sql {
  const { orders, conditions } = query;
  const fields = [...new Set([...orders, ...conditions].map(({ field }) => field))];
  const value = (field: string) => Prisma.raw(`f${fields.indexOf(field)}.v`);
  const contained = conditions.find(({ op, value }) => op === 'array-contains' && !isNested(value));
  const filters = [
    Prisma.sql`true`,
    ...(ownerUid === null ? [] : [Prisma.sql`c.owner_uid = ${ownerUid}`]),
    readable(where, 'c'),
    ...orders.map(({ field }) => Prisma.sql`${value(field)} IS NOT NULL`),
    ...conditions.map((condition) => conditionSql(value(condition.field), condition)),
    ...(contained ? [containsSql(value(contained.field), contained.value)] : []),
  ];
  // A number that is short in `fields` may have 309 digits in jsonb, so an array of them is never serialized from jsonb.
  const nested = orders.map(({ field }) => Prisma.sql`jsonb_typeof(${value(field)}) IN ('array', 'object')`);
  const values = orders.map(
    ({ field }, i) =>
      Prisma.sql`CASE WHEN ${nested[i]} THEN NULL ELSE ${value(field)}::text END AS ${Prisma.raw(`v${i}`)}`,
  );
  const needsFields = conditions.some(needsRecheck)
    ? Prisma.sql`true`
    : Prisma.join([Prisma.sql`false`, ...nested], ' OR ');
  const [direction, reverse] = scan.descending ? [desc, asc] : [asc, desc];
  return Prisma.sql`WITH x AS MATERIALIZED (${candidatesSql(where, scan, batch)}),
    c AS MATERIALIZED (SELECT * FROM (
      SELECT r.*, r.xmin::text AS "rowVersion", x.sort_key,
        sum(r.bytes) OVER (ORDER BY x.sort_key ${direction}, x.record_id ${direction}) AS total
      FROM x JOIN records AS r ON r.app_id = ${where.appId} AND r.collection_id = ${where.collectionId}
        AND r.id = x.record_id) AS s WHERE s.total - s.bytes < ${batch.maxBytes}::bigint),
    l AS (SELECT c.sort_key AS "lastKey", c.id AS "lastId", (SELECT count(*)::int FROM c) AS loaded,
      (SELECT count(*)::int FROM x) AS candidates FROM c ORDER BY c.sort_key ${reverse}, c.id ${reverse} LIMIT 1),
    m AS (SELECT ${Prisma.join([
      Prisma.sql`c.id, c.bytes, c."rowVersion", CASE WHEN ${needsFields} THEN c.fields::text END AS fields`,
      ...values,
    ])}
      FROM c ${valueJoins(fields)} WHERE ${Prisma.join(filters, ' AND ')})
    SELECT * FROM l LEFT JOIN m ON true`;
}

/** One LATERAL join per field. OFFSET 0 prevents inlining, so that a value is extracted once and not at each use. */
function valueJoins(fields: string[]): Prisma.Sql {
  const source = sourceOf(fields);
  const joins = fields.map(
    (field, i) =>
      Prisma.sql`CROSS JOIN LATERAL (SELECT ${valueSql(field, source)} AS v OFFSET 0) AS ${Prisma.raw(`f${i}`)}`,
  );
  if (source === 'parsed') {
    joins.unshift(Prisma.sql`CROSS JOIN LATERAL (SELECT c.fields::jsonb AS fields OFFSET 0) AS j`);
  }
  return joins.length === 0 ? Prisma.empty : Prisma.join(joins, ' ');
}

/** The next rows of the scan, before the conditions of the query. */
function candidatesSql(where: CollectionScope, scan: Scan, { position, limit }: Batch): Prisma.Sql {
  const [order, beyond] = scan.descending ? [desc, Prisma.raw('<')] : [asc, Prisma.raw('>')];
  if ('number' in scan.source) {
    return Prisma.sql`SELECT i.sort_key, i.record_id FROM record_index AS i WHERE ${inScan(where, scan)}
      AND (i.sort_key, i.record_id) ${beyond} (${position.key}::bytea, ${position.id}::text)
      ORDER BY i.sort_key ${order}, i.record_id ${order} LIMIT ${limit}::int`;
  }
  return Prisma.sql`SELECT ''::bytea AS sort_key, r.id AS record_id FROM records AS r WHERE ${inScan(where, scan)}
    AND r.id ${beyond} ${position.id} ORDER BY r.id ${order} LIMIT ${limit}::int`;
}

function inScan({ appId, collectionId }: CollectionScope, { source }: Scan): Prisma.Sql {
  if ('number' in source) {
    const { number, range } = source;
    return Prisma.sql`i.app_id = ${appId} AND i.collection_id = ${collectionId} AND i.number = ${number}::int
      AND i.sort_key >= ${range.from}::bytea AND i.sort_key < ${range.below}::bytea`;
  }
  const { ownerUid, ids } = source;
  return Prisma.sql`r.app_id = ${appId} AND r.collection_id = ${collectionId}
    ${ownerUid === null ? Prisma.empty : Prisma.sql`AND r.owner_uid = ${ownerUid}`}
    ${ids === null ? Prisma.empty : Prisma.sql`AND r.id >= ${ids.from} AND r.id <= ${ids.to}`}`;
}

/** The number of rows of a scan, counted up to `limit`. */
export function countStatement(where: CollectionScope, scan: Scan, limit: number): Prisma.Sql {
  const from = Prisma.raw('number' in scan.source ? 'record_index AS i' : 'records AS r');
  return Prisma.sql`SELECT count(*)::int AS count FROM (
    SELECT 1 FROM ${from} WHERE ${inScan(where, scan)} LIMIT ${limit}::int) AS counted`;
}
