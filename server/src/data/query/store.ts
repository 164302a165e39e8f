// Queries that a query runs on records, and what all statements on records share: the scope, the columns, the visible rows.
import { isCutOff, Prisma, type Query } from '@foyer/prisma';
import { ApiError } from '../../lib/api-error.js';
import type { RecordRow } from './record-row.js';

export type CollectionScope = {
  appId: string;
  collectionId: string;
  /** Skips the records of deleted accounts that are not purged yet. */
  hidesDeleted?: boolean;
};

export const columns = Prisma.sql`r.id, r.fields::text AS "fieldsText", r.bytes, r.owner_uid AS "ownerUid", r.version, r.created_at AS "createdAt",
  r.updated_at AS "updatedAt"`;

export function inScope({ appId, collectionId }: CollectionScope): Prisma.Sql {
  return Prisma.sql`r.app_id = ${appId} AND r.collection_id = ${collectionId}`;
}

/** Excludes the records (alias `r` or `c`) of deleted accounts, in the collections that delete them. */
export function readable({ appId, hidesDeleted }: CollectionScope, alias: 'r' | 'c'): Prisma.Sql {
  if (!hidesDeleted) return Prisma.sql`true`;
  return Prisma.sql`NOT EXISTS (SELECT FROM account_purges AS p
    WHERE p.app_id = ${appId} AND p.user_id = ${Prisma.raw(alias)}.owner_uid COLLATE "default" AND p.rows_left)`;
}

/** `rowVersion` is the xmin of the row that was read: it changes with every write. */
export type VersionedRecord = RecordRow & { rowVersion: string };

export type BatchRow = {
  lastKey: Uint8Array;
  lastId: string;
  /** The records that the batch loaded, of its candidates. */
  loaded: number;
  candidates: number;
  id: string | null;
  bytes: number;
  rowVersion: string;
  fields: string | null;
} & { [value: `v${number}`]: string | null };

/**
 * Runs a statement of a query. Their number is unbounded, so none is prepared. The statement timeout of the database answers
 * like the time limit of a query.
 */
export async function queryOnce<Row>(query: Query, { text, values }: Prisma.Sql): Promise<Row[]> {
  try {
    return await query<Row>({ text, values, once: true });
  } catch (error) {
    if (!isCutOff(error)) throw error;
    throw new ApiError('data/query-timeout', { retryAfterSeconds: 1, cause: error });
  }
}

/** Reads the records that a query found, in its order; ends with the one that reaches `maxBytes`, since any may have grown. */
export function findRecords(
  query: Query,
  where: CollectionScope,
  ids: string[],
  maxBytes: number,
): Promise<VersionedRecord[]> {
  return query<VersionedRecord>(Prisma.sql`SELECT ${columns}, r."rowVersion" FROM (
      SELECT r.*, r.xmin::text AS "rowVersion", i.place, sum(r.bytes) OVER (ORDER BY i.place) AS total
      FROM json_array_elements_text(${JSON.stringify(ids)}::json) WITH ORDINALITY AS i (id, place)
      JOIN records AS r ON ${inScope(where)} AND r.id = i.id WHERE ${readable(where, 'r')}
    ) AS r WHERE r.total - r.bytes < ${maxBytes}::bigint ORDER BY r.place`);
}
