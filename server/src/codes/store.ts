// Queries on emailed codes. A code belongs to a subject: an email (sign-in, reset) or a uid (verification, change of email). A
// subject can have several; the newest has the greatest id. A code whose mail is not sent is a decoy, and its row looks like
// any.
//
// A flow (`X-Code-Flow`) is a random id that binds an emailed code to the client that asked for it. A code is `flowOnly` if it
// was mailed in the slow lane, beyond the daily number of mails to the email: it can be guessed with its flow only.
import { limits } from '@foyer/contract';
import { columnList, type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import { before } from '../lib/timestamp.js';
import type { RetentionBatch } from '../model/retention-batch.js';
import type { SentCode } from './code-rules.js';

export const codePurposes = ['sign_in', 'reset', 'verification', 'email_change'] as const;
export type CodePurpose = (typeof codePurposes)[number];

/** Their codes are confirmed at `POST /auth/email/verification/confirm`. */
const purposesOfConfirmation: readonly CodePurpose[] = ['verification', 'email_change'];

/** Whether the subject is a uid, so that only this user can guess the code. */
function isOfUser({ purpose }: CodeKey): boolean {
  return purposesOfConfirmation.includes(purpose);
}

/** The codes of one subject and purpose. */
export type CodeKey = { appId: string; purpose: CodePurpose; subject: string };

export type CodeRow = {
  id: string;
  email: string;
  keyId: number;
  codeHash: Uint8Array;
  sentAt: Date;
  /** The id of the newest code of the subject and purpose at the moment the guess was counted. */
  newestId: string;
};

type NewCode = Omit<CodeRow, 'sentAt' | 'newestId'> & {
  flowHash: Buffer;
  flowOnly: boolean;
  byKnown: boolean;
  now: Date;
};

function ofKey({ appId, purpose, subject }: CodeKey): Prisma.Sql {
  return Prisma.sql`app_id = ${appId} AND purpose = ${purpose} AND subject = ${subject}`;
}

/**
 * Inserts a code. Returns false if the subject has the maximum number of live codes, which are never displaced. Deletes expired
 * codes beyond the same number.
 */
export async function insertCode(db: Db, key: CodeKey, code: NewCode): Promise<boolean> {
  const expired = expiredAt(code.now);
  const count = await db.$executeRaw`WITH outdated AS (
      DELETE FROM codes WHERE ${ofKey(key)} AND sent_at < ${expired}::timestamptz AND id NOT IN (
        SELECT id FROM codes WHERE ${ofKey(key)} ORDER BY id DESC LIMIT ${limits.liveCodes - 1}::int)
    )
    INSERT INTO codes (app_id, purpose, subject, id, email, key_id, code_hash, flow_hash, flow_only, by_known,
      sent_at)
    SELECT ${key.appId}, ${key.purpose}, ${key.subject}, ${code.id}, ${code.email}, ${code.keyId}::smallint,
      ${code.codeHash}::bytea, ${code.flowHash}::bytea, ${code.flowOnly}::boolean, ${code.byKnown}::boolean,
      ${code.now}::timestamptz
    WHERE ${limits.liveCodes}::int > (
      SELECT count(*) FROM codes WHERE ${ofKey(key)} AND sent_at >= ${expired}::timestamptz)`;
  return count === 1;
}

/**
 * Counts a guess first, in its own statement, so that at most five guesses of any number are checked. Returns null if no code
 * can be guessed. With a flow, the guess is at the newest code of that flow; without, at the newest code that needs no flow. A
 * guess with a flow uses both counters. A guess without one leaves the flow's counter alone, except for codes that only one
 * user can guess.
 */
export async function countGuess(
  prisma: PrismaClient,
  key: CodeKey,
  flowHash: Buffer | null,
): Promise<CodeRow | null> {
  const newest = (which: Prisma.Sql) => Prisma.sql`(SELECT max(id) FROM codes WHERE ${ofKey(key)} ${which})`;
  const [place, guesses] = flowHash
    ? [
        newest(Prisma.sql`AND flow_hash = ${flowHash}::bytea`),
        Prisma.raw(isOfUser(key) ? 'guesses' : 'flow_guesses'),
      ]
    : [newest(Prisma.sql`AND NOT flow_only`), Prisma.raw('guesses')];
  const [row] = await prisma.$queryRaw<CodeRow[]>`UPDATE codes
    SET guesses = guesses + 1, flow_guesses = flow_guesses + ${flowHash ? 1 : 0}::int
    WHERE ${ofKey(key)} AND id = ${place} AND ${guesses} < ${limits.codeGuesses}::int
    RETURNING ${columnList(['id', 'email', 'keyId', 'codeHash', 'sentAt'])},
      ${newest(Prisma.empty)} AS "newestId"`;
  return row ?? null;
}

/** Takes back one guess at a code, if the code still exists. */
export async function uncountGuess(
  prisma: PrismaClient,
  key: CodeKey,
  id: string,
  withFlow: boolean,
): Promise<void> {
  await prisma.$executeRaw`UPDATE codes
    SET guesses = guesses - 1, flow_guesses = flow_guesses - ${withFlow ? 1 : 0}::int
    WHERE ${ofKey(key)} AND id = ${id}`;
}

export type CodeOfFlow = { flowOnly: boolean; byKnown: boolean };

/** Returns the newest code of the flow. */
export function findCodeOfFlow(db: Db, key: CodeKey, flowHash: Buffer): Promise<CodeOfFlow | null> {
  return db.code.findFirst({
    where: { ...key, flowHash: new Uint8Array(flowHash) },
    orderBy: { id: 'desc' },
    select: { flowOnly: true, byKnown: true },
  });
}

/**
 * Deletes every code of the subject and purpose up to the newest at the time of the guess: its use proves ownership and ends
 * guesses by others. Codes sent since then stay. Also deletes expired codes with the same confirmation endpoint, so that a
 * repeat of the used code gets the right error. Returns false if another request consumed a code first. Rows are locked in one
 * order.
 */
export async function consumeCodes(
  tx: Tx,
  key: CodeKey,
  { id, newestId }: { id: string; newestId: string },
  now: Date,
): Promise<boolean> {
  const purposesOfEndpoint = purposesOfConfirmation.includes(key.purpose)
    ? purposesOfConfirmation
    : [key.purpose];
  const rows = await tx.$queryRaw<{ id: string }[]>`WITH locked AS (
      SELECT purpose, id FROM codes WHERE app_id = ${key.appId} AND purpose = ANY(${purposesOfEndpoint}) AND subject = ${key.subject}
        AND (purpose = ${key.purpose} AND id <= ${newestId} OR sent_at < ${expiredAt(now)}::timestamptz)
      ORDER BY purpose, id FOR UPDATE
    )
    DELETE FROM codes WHERE app_id = ${key.appId} AND purpose = ANY(${purposesOfEndpoint}) AND subject = ${key.subject}
      AND (purpose, id) IN (SELECT purpose, id FROM locked)
    RETURNING id`;
  return rows.some((row) => row.id === id);
}

/** Returns, by purpose, the newest code of the user that can be confirmed; with a flow, only codes of that flow. */
export async function findCodesOf(
  db: Db,
  ids: { appId: string; subject: string; flowHash?: Uint8Array<ArrayBuffer> },
): Promise<Map<string, SentCode & { email: string }>> {
  const rows = await db.code.findMany({
    where: { ...ids, purpose: { in: [...purposesOfConfirmation] } },
    distinct: ['purpose'],
    orderBy: { id: 'desc' },
    select: { purpose: true, email: true, sentAt: true, guesses: true },
  });
  return new Map(rows.map(({ purpose, ...code }) => [purpose, code]));
}

/** A pending change of email ends with the sessions: it may have been requested by the attacker who is signed out. */
export async function endEmailChange(
  tx: Tx,
  { appId, uid: subject }: { appId: string; uid: string },
): Promise<void> {
  await tx.code.deleteMany({ where: { appId, purpose: 'email_change', subject } });
}

/**
 * Deletes all codes of the subjects (a uid and the email of the user). Names the purposes, which precede the subject in the
 * index: PostgreSQL before 18 would read all codes instead. Rows are locked in the order of `consumeCodes`.
 */
export async function deleteCodesOf(tx: Tx, appId: string, subjects: string[]): Promise<void> {
  await tx.$executeRaw`WITH locked AS (
      SELECT purpose, subject, id FROM codes
      WHERE app_id = ${appId} AND purpose = ANY(${codePurposes}) AND subject = ANY(${subjects})
      ORDER BY purpose, id FOR UPDATE
    )
    DELETE FROM codes WHERE app_id = ${appId} AND purpose = ANY(${codePurposes}) AND subject = ANY(${subjects})
      AND (purpose, subject, id) IN (SELECT purpose, subject, id FROM locked)`;
}

/** Skips locked rows, which another call deletes: waiting could deadlock with a call that changes several codes of a subject. */
export function deleteCodesSentBefore(
  prisma: PrismaClient,
  { appId, time, maxRows }: RetentionBatch,
): Promise<number> {
  return prisma.$executeRaw`WITH old AS MATERIALIZED (
      SELECT purpose, subject, id FROM codes WHERE app_id = ${appId} AND sent_at < ${time}::timestamptz
      ORDER BY sent_at LIMIT ${Prisma.raw(String(maxRows))} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM codes WHERE app_id = ${appId} AND (purpose, subject, id) IN (SELECT purpose, subject, id FROM old)`;
}

/** Codes sent before this time have expired. */
function expiredAt(now: Date): Date {
  return before(now, limits.codeSeconds * 1_000);
}
