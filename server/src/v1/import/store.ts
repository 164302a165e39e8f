// Queries of the import of users from v1: many rows in one statement. Every one names the app.
import { queryIn, type Tx } from '@foyer/prisma';
import { insertUsers, type NewUser } from '../../accounts/write-user.js';
import type { ImportedEntry } from '../../loyalty/many-entries.js';
import { insertImportedEntries } from '../../loyalty/store.js';
import { type ImportedToken, insertImportedTokens } from '../../v1-tokens/imported-tokens.js';
import type { Claim, Taken } from './conflict-rules.js';

/** What one line of the export becomes. */
export type UserRows = {
  user: NewUser & { v1Id: number };
  lineHash: string;
  entries: ImportedEntry[];
  tokens: ImportedToken[];
};

export async function findTaken(tx: Tx, appId: string, claims: Claim[]): Promise<Taken> {
  const v1Ids = claims.map(({ v1Id }) => v1Id);
  const tokens = claims.flatMap((claim) => claim.tokens);
  const rows = await tx.$queryRaw<{ kind: string; value: string; hash: string | null }[]>`
    SELECT 'line' AS kind, v1_id::text AS value, encode(line_hash, 'hex') AS hash FROM v1_imports
      WHERE app_id = ${appId} AND v1_id = ANY(${v1Ids}::int[])
    UNION ALL SELECT 'v1_id', v1_id::text, NULL FROM users
      WHERE app_id = ${appId} AND v1_id = ANY(${v1Ids}::int[])
    UNION ALL SELECT 'email', email, NULL FROM users
      WHERE app_id = ${appId} AND email = ANY(${claims.map(({ email }) => email)}::text[])
    UNION ALL SELECT 'member_id', member_id, NULL FROM users
      WHERE app_id = ${appId} AND member_id = ANY(${claims.map(({ memberId }) => memberId)}::text[])
    UNION ALL SELECT 'token', encode(token_hash, 'hex'), NULL FROM v1_tokens
      WHERE app_id = ${appId} AND token_hash = ANY(
        ARRAY(SELECT decode(t.hash, 'hex') FROM unnest(${tokens}::text[]) AS t(hash)))`;
  const valuesOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ value }) => value);
  return {
    lines: new Map(rows.flatMap(({ value, hash }) => (hash === null ? [] : [[Number(value), hash]]))),
    v1Ids: new Set(valuesOf('v1_id').map(Number)),
    emails: new Set(valuesOf('email')),
    memberIds: new Set(valuesOf('member_id')),
    tokens: new Set(valuesOf('token')),
  };
}

/** Returns false when something was taken meanwhile: then the transaction has to be rolled back. */
export async function insertImported(tx: Tx, appId: string, rows: UserRows[]): Promise<boolean> {
  const users = rows.map(({ user }) => user);
  const inserted = await insertUsers(queryIn(tx), appId, users);
  const lines = JSON.stringify(rows.map(({ user, lineHash }) => ({ v1_id: user.v1Id, line_hash: lineHash })));
  const written = await tx.$queryRaw<unknown[]>`INSERT INTO v1_imports (app_id, v1_id, line_hash)
    SELECT ${appId}, r.v1_id, decode(r.line_hash, 'hex')
    FROM jsonb_to_recordset(${lines}::jsonb) AS r(v1_id int, line_hash text)
    ON CONFLICT DO NOTHING RETURNING v1_id`;
  if (inserted.size !== rows.length || written.length !== rows.length) return false;
  const entries = rows.flatMap((row) => row.entries);
  await insertImportedEntries(tx, appId, entries);
  const tokens = rows.flatMap((row) => row.tokens);
  const added = await tx.$queryRaw<unknown[]>(insertImportedTokens(appId, tokens));
  return added.length === tokens.length;
}
