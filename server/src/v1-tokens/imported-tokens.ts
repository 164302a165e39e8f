// Imported v1 tokens, many in one INSERT.
import { Prisma } from '@foyer/prisma';

/** Column by column, times as text and the hash in hexadecimal: the rows are sent as JSON. */
export type ImportedToken = {
  user_id: string;
  token_hash: string;
  signed_in_at: string;
  last_used_at: string;
};

/** Returns a row for each token that is new. */
export function insertImportedTokens(appId: string, tokens: ImportedToken[]): Prisma.Sql {
  return Prisma.sql`INSERT INTO v1_tokens (app_id, token_hash, user_id, signed_in_at, last_used_at)
    SELECT ${appId}, decode(r.token_hash, 'hex'), r.user_id, r.signed_in_at, r.last_used_at
    FROM jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb) AS r(token_hash text, user_id text,
      signed_in_at timestamptz, last_used_at timestamptz)
    ON CONFLICT DO NOTHING RETURNING user_id`;
}
