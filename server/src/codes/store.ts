// Queries on emailed codes. A subject can have several; the newest has the greatest id.
import { limits } from '@foyer/contract';
import { type Db, Prisma, type PrismaClient, type Tx } from '@foyer/prisma';
import { before } from '../lib/timestamp.js';
import type { RetentionBatch } from '../model/retention-batch.js';
import type { SentCode } from './code-rules.js';

const purposes = ['sign_in', 'reset', 'verification', 'email_change'] as const;
export type CodePurpose = (typeof purposes)[number];

/** The purposes that share one confirmation endpoint. */
const confirmed: readonly CodePurpose[] = ['verification', 'email_change'];

/** `subject`: an email (sign-in, reset) or a uid (verification, change of email). */
export type CodeKey = { appId: string; purpose: CodePurpose; subject: string };

export type CodeRow = {
  id: string;
  email: string;
  keyId: number;
  codeHash: Uint8Array;
  sentAt: Date;
  /** The newest code of the subject when the guess was counted. */
  newestId: string;
};

function ofKey({ appId, purpose, subject }: CodeKey): Prisma.Sql {
  return Prisma.sql`app_id = ${appId} AND purpose = ${purpose} AND subject = ${subject}`;
}

/**
 * Inserts a code. False if the subject has the maximum number of live codes, which are never displaced. Deletes expired
 * codes beyond the same number.
 */
export async function insertCode(
  db: Db,
  key: CodeKey,
  code: Omit<CodeRow, 'sentAt' | 'newestId'> & { flowHash: Buffer; now: Date },
): Promise<boolean> {
  const expired = expiredAt(code.now);
  const count = await db.$executeRaw`WITH outdated AS (
      DELETE FROM codes WHERE ${ofKey(key)} AND sent_at < ${expired}::timestamptz AND id NOT IN (
        SELECT id FROM codes WHERE ${ofKey(key)} ORDER BY id DESC LIMIT ${limits.liveCodes - 1}::int)
    )
    INSERT INTO codes (app_id, purpose, subject, id, email, key_id, code_hash, flow_hash, sent_at)
    SELECT ${key.appId}, ${key.purpose}, ${key.subject}, ${code.id}, ${code.email}, ${code.keyId}::smallint,
      ${code.codeHash}::bytea, ${code.flowHash}::bytea, ${code.now}::timestamptz
    WHERE ${limits.liveCodes}::int > (
      SELECT count(*) FROM codes WHERE ${ofKey(key)} AND sent_at >= ${expired}::timestamptz)`;
  return count === 1;
}

/**
 * Counts a guess before it is checked, in a statement of its own that is never rolled back: of any number of concurrent
 * guesses, five are checked. Null if no code can be guessed. Without a flow the guess is at the newest code. At the code of a
 * flow it counts against both, so that omitting the flow gains nothing; guesses without a flow do not count against the flow's.
 */
export async function countGuess(
  prisma: PrismaClient,
  key: CodeKey,
  flowHash: Buffer | null,
): Promise<CodeRow | null> {
  const newestId = Prisma.sql`(SELECT max(id) FROM codes WHERE ${ofKey(key)})`;
  const guessable = flowHash
    ? Prisma.sql`flow_hash = ${flowHash}::bytea AND flow_guesses < ${limits.codeGuesses}::int`
    : Prisma.sql`id = ${newestId} AND guesses < ${limits.codeGuesses}::int`;
  const [row] = await prisma.$queryRaw<CodeRow[]>`UPDATE codes
    SET guesses = guesses + 1, flow_guesses = flow_guesses + ${flowHash ? 1 : 0}::int
    WHERE ${ofKey(key)} AND ${guessable}
    RETURNING id, email, key_id AS "keyId", code_hash AS "codeHash", sent_at AS "sentAt",
      ${newestId} AS "newestId"`;
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

export async function hasCodeOfFlow(db: Db, key: CodeKey, flowHash: Buffer): Promise<boolean> {
  return (await db.code.count({ where: { ...key, flowHash: new Uint8Array(flowHash) } })) > 0;
}

/**
 * Deletes every code of the subject and purpose up to the newest at the time of the guess: its use proves ownership and
 * ends guesses by others. Codes sent since then stay. Also deletes expired codes with the same confirmation endpoint, so
 * that a repeat of the used code gets the right error. False if another request consumed a code first. Rows are locked in
 * one order.
 */
export async function consumeCodes(
  tx: Tx,
  key: CodeKey,
  { id, newestId }: { id: string; newestId: string },
  now: Date,
): Promise<boolean> {
  const purposesOfEndpoint = confirmed.includes(key.purpose) ? confirmed : [key.purpose];
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

/** The newest code of a user by purpose, or the codes of a flow: of those that share one confirmation endpoint. */
export async function findCodesOf(
  db: Db,
  ids: { appId: string; subject: string; flowHash?: Uint8Array<ArrayBuffer> },
): Promise<Map<string, SentCode>> {
  const rows = await db.code.findMany({
    where: { ...ids, purpose: { in: [...confirmed] } },
    distinct: ['purpose'],
    orderBy: { id: 'desc' },
    select: { purpose: true, sentAt: true, guesses: true },
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
 * index: PostgreSQL before 18 would read all codes instead.
 */
export async function deleteCodesOf(tx: Tx, appId: string, subjects: string[]): Promise<void> {
  await tx.code.deleteMany({ where: { appId, purpose: { in: [...purposes] }, subject: { in: subjects } } });
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
