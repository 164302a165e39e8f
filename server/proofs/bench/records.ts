// Collections of records for the benchmarks, written by SQL.
import type { Database } from '@foyer/prisma';

const recordsAStatement = 20_000;

export const collectionOf = (size: number) => `c${size}`;

/** Records `{n, half, title, author}`: `n` in no order of the ids, and indexed; the rest is not. */
export async function seedRecords(database: Database, appId: string, sizes: number[]): Promise<void> {
  for (const size of sizes) {
    const id = `collection-${size}`;
    await database.prisma.collection.create({
      data: {
        ...{ appId, id, name: collectionOf(size), accessMode: 'admin', onUserDelete: 'delete' },
        ...{ indexes: [{ number: 1, field: 'n', ready: true }], lastIndexNumber: 1 },
        ...{ createdAt: new Date(), updatedAt: new Date() },
      },
    });
    for (let from = 0; from < size; from += recordsAStatement) {
      const to = Math.min(from + recordsAStatement, size) - 1;
      await database.connection((connection) =>
        connection.script(`
          INSERT INTO records (app_id, collection_id, id, fields, bytes, created_at, updated_at)
          SELECT '${appId}', '${id}', '01JD' || lpad(i::text, 22, '0'), f.text::json, length(f.text), now(), now()
          FROM generate_series(${from}, ${to}) AS i, LATERAL (SELECT
            '{"n":' || (i::bigint * 7919 % ${size}) || ',"half":' || (i % 2) || ',"title":"Record number ' || i ||
            ' of the benchmark","author":{"name":"Ada ' || (i % 1000) || '","age":36}}' AS text) AS f;
          INSERT INTO record_index (app_id, collection_id, number, sort_key, record_id)
          SELECT '${appId}', '${id}', 1, '\\x30'::bytea || CASE WHEN k.n = 0 THEN '\\x8000000000000000'::bytea
            ELSE set_byte(float8send(k.n::float8), 0, get_byte(float8send(k.n::float8), 0) | 128) END,
            '01JD' || lpad(i::text, 22, '0')
          FROM generate_series(${from}, ${to}) AS i, LATERAL (SELECT i::bigint * 7919 % ${size} AS n) AS k;`),
      );
    }
  }
  await database.connection((connection) => connection.script('ANALYZE'));
}
