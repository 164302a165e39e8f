// Queries of the import of v1's users: many rows a statement. Every one names the app.
import type { Prisma } from '@foyer/prisma';
import type { Claim, Taken } from './conflict-rules.js';

type Tx = Prisma.TransactionClient;

/** Column by column as the tables have them, times as text: the rows travel as JSON. */
export type UserRows = {
  user: {
    id: string;
    v1_id: number;
    line_hash: string;
    email: string;
    email_verified: boolean;
    first_name: string | null;
    last_name: string | null;
    photo_url: string | null;
    password_hash: string | null;
    member_id: string;
    points: number;
    ledger_size: number;
    created_at: string;
    v1_last_used_at: string | null;
    last_sign_in_at: string | null;
  };
  entries: {
    user_id: string;
    id: string;
    position: number;
    points: number;
    description: string;
    created_at: string;
  }[];
  tokens: { user_id: string; token_hash: string; signed_in_at: string; last_used_at: string }[];
};

/** New numeric ids are given from above this one on. Returns the highest that is taken or kept free now. */
export async function raiseLastV1Id(tx: Tx, appId: string, atLeast: number): Promise<number> {
  const [row] = await tx.$queryRaw<[{ lastV1Id: number }]>`
    UPDATE apps SET last_v1_id = GREATEST(last_v1_id, ${atLeast}::int) WHERE id = ${appId}
    RETURNING last_v1_id AS "lastV1Id"`;
  return row.lastV1Id;
}

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

/** False when something was taken a moment ago; then the transaction is to be given up. */
export async function insertImported(tx: Tx, appId: string, rows: UserRows[], now: Date): Promise<boolean> {
  const users = JSON.stringify(rows.map(({ user }) => user));
  const made =
    await tx.$executeRaw`INSERT INTO users (app_id, id, email, email_verified, email_proven, first_name,
      last_name, photo_url, password_hash, password_from_v1, member_id, points, ledger_size, v1_id, v1_last_used_at, created_at,
      updated_at, last_sign_in_at)
    SELECT ${appId}, r.id, r.email, r.email_verified, r.email_verified, r.first_name, r.last_name, r.photo_url,
      r.password_hash, r.password_hash IS NOT NULL, r.member_id, r.points, r.ledger_size, r.v1_id, r.v1_last_used_at, r.created_at,
      ${now}::timestamptz, r.last_sign_in_at
    FROM jsonb_to_recordset(${users}::jsonb) AS r(id text, email text, email_verified boolean, first_name text,
      last_name text, photo_url text, password_hash text, member_id text, points int, ledger_size int, v1_id int,
      v1_last_used_at timestamptz, created_at timestamptz, last_sign_in_at timestamptz)
    ON CONFLICT DO NOTHING`;
  const noted = await tx.$executeRaw`INSERT INTO v1_imports (app_id, v1_id, line_hash)
    SELECT ${appId}, r.v1_id, decode(r.line_hash, 'hex')
    FROM jsonb_to_recordset(${users}::jsonb) AS r(v1_id int, line_hash text)
    ON CONFLICT DO NOTHING`;
  if (made !== rows.length || noted !== rows.length) return false;
  await insertEntries(tx, appId, rows);
  return insertTokens(tx, appId, rows);
}

/** Written well within the time limit of a statement, however busy the database is. */
const entriesPerStatement = 2_000;

async function insertEntries(tx: Tx, appId: string, rows: UserRows[]): Promise<void> {
  const entries = rows.flatMap((row) => row.entries);
  for (let from = 0; from < entries.length; from += entriesPerStatement) {
    const some = JSON.stringify(entries.slice(from, from + entriesPerStatement));
    await tx.$executeRaw`INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, created_at)
      SELECT ${appId}, r.user_id, r.id, r.position, r.points, r.description, r.created_at
      FROM jsonb_to_recordset(${some}::jsonb) AS r(user_id text, id text, position int, points int, description text,
        created_at timestamptz)`;
  }
}

async function insertTokens(tx: Tx, appId: string, rows: UserRows[]): Promise<boolean> {
  const tokens = rows.flatMap((row) => row.tokens);
  if (tokens.length === 0) return true;
  const made =
    await tx.$executeRaw`INSERT INTO v1_tokens (app_id, token_hash, user_id, signed_in_at, last_used_at)
    SELECT ${appId}, decode(r.token_hash, 'hex'), r.user_id, r.signed_in_at, r.last_used_at
    FROM jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb) AS r(token_hash text, user_id text,
      signed_in_at timestamptz, last_used_at timestamptz)
    ON CONFLICT DO NOTHING`;
  return made === tokens.length;
}
