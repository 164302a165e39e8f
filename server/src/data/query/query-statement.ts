// The statements of a query: one batch of a walk, filtered, and how many records a walk would meet.
import { Prisma } from '@foyer/prisma';
import { type InCollection, readable } from '../records/store.js';
import { conditionSql, containsSql, isJudgedLater, sourceOf, valueSql } from './condition-sql.js';
import type { Query } from './query.js';
import { isNested } from './sort-key.js';
import type { Walk } from './walk.js';

const [asc, desc] = [Prisma.raw('ASC'), Prisma.raw('DESC')];

export type Batch = { position: Walk['position']; limit: number; maxBytes: number };

/**
 * The next records of a walk, up to a number and a size: those that meet the conditions, each with where the walk ends and
 * how many it met; one row without an id where none does. With each come the values it is ordered by, as JSON texts `v0`,
 * `v1`, …; all its `fields` instead of those that are arrays or objects, and where conditions are left to judge.
 */
export function batchStatement(
  where: InCollection,
  query: Query,
  onlyOf: string | null,
  walk: Walk,
  batch: Batch,
): Prisma.Sql {
  const { orders, conditions } = query;
  const fields = [...new Set([...orders, ...conditions].map(({ field }) => field))];
  const value = (field: string) => Prisma.raw(`f${fields.indexOf(field)}.v`);
  // OFFSET 0, so that a value is taken out of the record once and not in each place where it is used.
  const source = sourceOf(fields);
  const laterals = [
    ...(source === 'parsed'
      ? [Prisma.sql`CROSS JOIN LATERAL (SELECT c.fields::jsonb AS fields OFFSET 0) AS j`]
      : []),
    ...fields.map(
      (field, i) =>
        Prisma.sql`CROSS JOIN LATERAL (SELECT ${valueSql(field, source)} AS v OFFSET 0) AS ${Prisma.raw(`f${i}`)}`,
    ),
  ];
  const contained = conditions.find(({ op, value }) => op === 'array-contains' && !isNested(value));
  const filters = [
    Prisma.sql`true`,
    ...(onlyOf === null ? [] : [Prisma.sql`c.owner_uid = ${onlyOf}`]),
    readable(where, 'c'),
    ...orders.map(({ field }) => Prisma.sql`${value(field)} IS NOT NULL`),
    ...conditions.map((condition) => conditionSql(value(condition.field), condition)),
    ...(contained ? [containsSql(value(contained.field), contained.value)] : []),
  ];
  // A number that is short in `fields` may have 309 digits in jsonb, so an array of them is never written out from there.
  const nested = orders.map(({ field }) => Prisma.sql`jsonb_typeof(${value(field)}) IN ('array', 'object')`);
  const values = orders.map(
    ({ field }, i) =>
      Prisma.sql`CASE WHEN ${nested[i]} THEN NULL ELSE ${value(field)}::text END AS ${Prisma.raw(`v${i}`)}`,
  );
  const needed = conditions.some(isJudgedLater)
    ? Prisma.sql`true`
    : Prisma.join([Prisma.sql`false`, ...nested], ' OR ');
  const [along, against] = walk.descending ? [desc, asc] : [asc, desc];
  return Prisma.sql`WITH x AS MATERIALIZED (${metSql(where, walk, batch)}),
    c AS MATERIALIZED (SELECT * FROM (
      SELECT r.*, r.xmin::text AS seen, x.sort_key, sum(r.bytes) OVER (ORDER BY x.sort_key ${along}, x.record_id ${along}) AS total
      FROM x JOIN records AS r ON r.app_id = ${where.appId} AND r.collection_id = ${where.collectionId}
        AND r.id = x.record_id) AS s WHERE s.total - s.bytes < ${batch.maxBytes}::bigint),
    l AS (SELECT c.sort_key AS "lastKey", c.id AS "lastId", (SELECT count(*)::int FROM c) AS looked,
      (SELECT count(*)::int FROM x) AS met FROM c ORDER BY c.sort_key ${against}, c.id ${against} LIMIT 1),
    m AS (SELECT ${Prisma.join([
      Prisma.sql`c.id, c.bytes, c.seen, CASE WHEN ${needed} THEN c.fields::text END AS fields`,
      ...values,
    ])}
      FROM c ${joined(laterals)} WHERE ${Prisma.join(filters, ' AND ')})
    SELECT * FROM l LEFT JOIN m ON true`;
}

function joined(parts: Prisma.Sql[]): Prisma.Sql {
  return parts.length === 0 ? Prisma.empty : Prisma.join(parts, ' ');
}

/** The records that a walk meets next, whether they meet the conditions or not. */
function metSql(where: InCollection, walk: Walk, { position, limit }: Batch): Prisma.Sql {
  const [order, beyond] = walk.descending ? [desc, Prisma.raw('<')] : [asc, Prisma.raw('>')];
  const bound = Prisma.sql`LIMIT ${limit}::int`;
  if ('number' in walk.along) {
    return Prisma.sql`SELECT i.sort_key, i.record_id FROM record_index AS i WHERE ${ofWalk(where, walk)}
      AND (i.sort_key, i.record_id) ${beyond} (${position.key}::bytea, ${position.id}::text)
      ORDER BY i.sort_key ${order}, i.record_id ${order} ${bound}`;
  }
  return Prisma.sql`SELECT ''::bytea AS sort_key, r.id AS record_id FROM records AS r WHERE ${ofWalk(where, walk)}
    AND r.id ${beyond} ${position.id} ORDER BY r.id ${order} ${bound}`;
}

function ofWalk({ appId, collectionId }: InCollection, { along }: Walk): Prisma.Sql {
  if ('number' in along) {
    const { number, range } = along;
    return Prisma.sql`i.app_id = ${appId} AND i.collection_id = ${collectionId} AND i.number = ${number}::int
      AND i.sort_key >= ${range.from}::bytea AND i.sort_key < ${range.below}::bytea`;
  }
  const { ownerUid, ids } = along;
  return Prisma.sql`r.app_id = ${appId} AND r.collection_id = ${collectionId}
    ${ownerUid === null ? Prisma.empty : Prisma.sql`AND r.owner_uid = ${ownerUid}`}
    ${ids === null ? Prisma.empty : Prisma.sql`AND r.id >= ${ids.from} AND r.id <= ${ids.to}`}`;
}

/** How many records a walk meets in all, counted up to a limit. */
export function countStatement(where: InCollection, walk: Walk, limit: number): Prisma.Sql {
  const from = Prisma.raw('number' in walk.along ? 'record_index AS i' : 'records AS r');
  return Prisma.sql`SELECT count(*)::int AS count FROM (
    SELECT 1 FROM ${from} WHERE ${ofWalk(where, walk)} LIMIT ${limit}::int) AS met`;
}
