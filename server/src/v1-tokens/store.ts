// Queries on the tokens of v1, each scoped to an app; a token ends with its row.
import { limits } from '@foyer/contract';
import { columnList, type Db, numbered, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { needsSecondStep, type SecondStepOf } from '../accounts/second-step.js';
import { updateSignedInUser, updateV1Use, type VerifiedCredential } from '../accounts/update-fragments.js';
import { insertEntriesOf } from '../audit/store.js';
import type { RetentionBatch } from '../model/retention-batch.js';
import { userColumnList, userColumns } from '../model/user.js';
import type { LiveV1Token, V1UserRow } from '../model/v1-token.js';
import { v1Sign } from './v1-token.js';

/** The columns of a `V1UserRow`, of a relation named `u`. */
const v1UserColumns = Prisma.sql`${userColumns}, ${userColumnList(['v1Id', 'memberId', 'points'], 'u')}`;

type StartedV1Token = V1UserRow & { otherTokens: number; needsSecondStep: boolean };

export type TokenIds = { appId: string; tokenHash: Uint8Array };

/**
 * Starts a token for a verified password, unless the user needs a second step, of which v1 has none; null when the password
 * changed since it was verified. `otherTokens` omits those that were started while this statement waited for the user's row.
 */
export async function insertVerifiedV1Token(
  query: Query,
  token: {
    appId: string;
    tokenHash: Buffer;
    now: Date;
    useDueSince: Date;
    ip: string | null;
    language: string | null;
    auditId: string;
    secondStepOf: SecondStepOf;
  },
  credential: VerifiedCredential,
): Promise<StartedV1Token | null> {
  const { appId, tokenHash, now, language, secondStepOf, useDueSince: v1UseDueSince } = token;
  const waits = needsSecondStep[secondStepOf];
  const [row] = await query<StartedV1Token>(Prisma.sql`WITH u AS (
      ${updateSignedInUser(appId, credential, { now, language, secondStepOf, v1UseDueSince })}
    ), t AS (
      INSERT INTO v1_tokens (app_id, token_hash, user_id, signed_in_at, last_used_at)
      SELECT ${appId}::text, ${tokenHash}::bytea, u.id, ${now}::timestamptz, ${now}::timestamptz FROM u
      WHERE NOT ${waits}
    ), audited AS (${insertEntriesOf({
      id: token.auditId,
      action: 'user.signed_in',
      appId: Prisma.sql`${appId}::text`,
      uid: Prisma.sql`u.id`,
      ip: token.ip,
      details: Prisma.sql`${JSON.stringify(v1Sign)}::jsonb`,
      from: Prisma.sql`u WHERE NOT ${waits}`,
      now,
    })})
    SELECT ${v1UserColumns}, ${waits} AS "needsSecondStep", (SELECT count(*)::int FROM v1_tokens AS o
      WHERE o.app_id = ${appId} AND o.user_id = u.id) AS "otherTokens"
    FROM u`);
  return row ?? null;
}

/**
 * Ends the oldest tokens beyond the limit. A separate statement: it must see tokens committed concurrently. Two
 * concurrent calls skip the rows that the other is deleting. The token of `ids` was just started and stays: others have a later
 * time where the clock was ahead.
 */
export async function deleteOldestV1Tokens(query: Query, ids: UserIds & TokenIds): Promise<void> {
  const own = Prisma.sql`app_id = ${ids.appId} AND user_id = ${ids.uid} AND token_hash <> ${ids.tokenHash}::bytea`;
  await query(Prisma.sql`DELETE FROM v1_tokens WHERE ${own} AND token_hash IN (
    SELECT token_hash FROM v1_tokens WHERE ${own} AND token_hash IN (
      SELECT token_hash FROM v1_tokens WHERE ${own}
      ORDER BY signed_in_at DESC, token_hash OFFSET ${limits.v1TokensPerUser - 1}::int)
    FOR UPDATE SKIP LOCKED)`);
}

const liveTokenStatement = numbered<{ appId: string; tokenHash: Uint8Array; idleSince: Date }>(
  { appId: 'text', tokenHash: 'bytea', idleSince: 'timestamptz' },
  (value) => Prisma.sql`
    SELECT t.app_id AS "appId", t.token_hash AS "tokenHash", t.last_used_at AS "usedAt",
      u.v1_last_used_at AS "userUsedAt", ${v1UserColumns}
    FROM v1_tokens AS t JOIN users AS u ON u.app_id = ${value.appId} AND u.id = t.user_id
    WHERE t.app_id = ${value.appId} AND t.token_hash = ${value.tokenHash} AND t.last_used_at > ${value.idleSince}
      AND NOT u.disabled`,
  { isQuick: true },
);

/** The live token with its user: the one query of a signed-in call of v1. */
export async function findLiveV1Token(
  query: Query,
  ids: TokenIds,
  idleSince: Date,
): Promise<LiveV1Token | null> {
  const [row] = await query<LiveV1Token>(liveTokenStatement({ ...ids, idleSince }));
  return row ?? null;
}

export type V1Proof = TokenIds & {
  uid: string;
  credentialVersion: number;
  disabled: boolean;
  signedInAt: Date;
};

export async function findV1Proof(query: Query, ids: TokenIds, idleSince: Date): Promise<V1Proof | null> {
  const [row] = await query<V1Proof>(Prisma.sql`
    SELECT ${columnList(['appId', 'tokenHash', 'signedInAt'], { of: 't' })},
      ${columnList(['uid', 'credentialVersion', 'disabled'], { of: 'u', columns: { uid: 'id' } })}
    FROM v1_tokens AS t JOIN users AS u ON u.app_id = ${ids.appId} AND u.id = t.user_id
    WHERE t.app_id = ${ids.appId} AND t.token_hash = ${ids.tokenHash}::bytea
      AND t.last_used_at > ${idleSince}::timestamptz`);
  return row ?? null;
}

/** Whether a token has not ended, by what has been committed. */
export async function isV1TokenLive(tx: Tx, ids: TokenIds): Promise<boolean> {
  const where = { appId: ids.appId, tokenHash: new Uint8Array(ids.tokenHash) };
  return (await tx.v1Token.count({ where })) > 0;
}

export async function recordTokenUse(db: Db, ids: TokenIds, now: Date, dueSince: Date): Promise<void> {
  await db.$executeRaw`UPDATE v1_tokens SET last_used_at = ${now}::timestamptz
    WHERE app_id = ${ids.appId} AND token_hash = ${ids.tokenHash}::bytea
      AND last_used_at <= ${dueSince}::timestamptz`;
}

export async function recordUserUse(db: Db, ids: UserIds, now: Date, dueSince: Date): Promise<void> {
  await db.$executeRaw(updateV1Use(ids, now, dueSince));
}

/** Returns false when another call ended the token before. */
export async function deleteV1Token(tx: Tx, ids: TokenIds): Promise<boolean> {
  const count = await tx.$executeRaw`DELETE FROM v1_tokens
    WHERE app_id = ${ids.appId} AND token_hash = ${ids.tokenHash}::bytea`;
  return count === 1;
}

/** The same at sign-out, with its audit entry. */
export async function signOutRow(
  prisma: PrismaClient,
  ids: TokenIds,
  audit: { id: string; ip: string | null; now: Date },
): Promise<void> {
  await prisma.$executeRaw`WITH t AS (
      DELETE FROM v1_tokens WHERE app_id = ${ids.appId} AND token_hash = ${ids.tokenHash}::bytea RETURNING *
    ) ${insertEntriesOf({
      ...audit,
      action: 'user.signed_out',
      appId: Prisma.sql`${ids.appId}::text`,
      uid: Prisma.sql`t.user_id`,
      details: Prisma.sql`'{"version": "v1"}'::jsonb`,
      from: Prisma.sql`t`,
    })}`;
}

export async function deleteV1TokensOf(tx: Tx, ids: UserIds): Promise<void> {
  await tx.$executeRaw`DELETE FROM v1_tokens WHERE app_id = ${ids.appId} AND user_id = ${ids.uid}`;
}

/** Deletes tokens used last at this time or before. */
export function deleteIdleV1Tokens(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  return prisma.$executeRaw`DELETE FROM v1_tokens WHERE app_id = ${appId} AND token_hash IN (
    SELECT token_hash FROM v1_tokens WHERE app_id = ${appId} AND last_used_at <= ${time}::timestamptz
    ORDER BY last_used_at LIMIT ${Prisma.raw(String(maxRows))})`;
}
