// Queries on emailed codes. There is one code of an app, purpose and subject, and every change is conditional.
import { limits } from '@foyer/contract';
import type { Prisma, PrismaClient } from '@foyer/prisma';
import type { SentCode } from './code-rules.js';

type Db = PrismaClient | Prisma.TransactionClient;

export type CodePurpose = 'sign_in' | 'reset' | 'verification' | 'email_change';

/** Whose code: of an email (sign-in, reset) or of a user (verification, change of email). */
export type CodeKey = { appId: string; purpose: CodePurpose; subject: string };

export type CodeRow = { email: string; keyId: number; codeHash: Uint8Array; sentAt: Date };

/** Puts a code in the place of the one before, whatever became of that. */
export async function replaceCode(
  db: Db,
  key: CodeKey,
  code: { email: string; keyId: number; codeHash: Buffer; now: Date },
): Promise<void> {
  await db.$executeRaw`INSERT INTO codes (app_id, purpose, subject, email, key_id, code_hash, guesses, sent_at, used_at)
    VALUES (${key.appId}, ${key.purpose}, ${key.subject}, ${code.email}, ${code.keyId}::smallint,
      ${code.codeHash}::bytea, 0, ${code.now}::timestamptz, NULL)
    ON CONFLICT (app_id, purpose, subject) DO UPDATE SET email = excluded.email, key_id = excluded.key_id,
      code_hash = excluded.code_hash, guesses = 0, sent_at = excluded.sent_at, used_at = NULL`;
}

/**
 * Counts a guess before it is judged, in a statement of its own that nothing rolls back: however many guess at once, five
 * are judged. Null when there is no code that could be guessed.
 */
export async function countGuess(prisma: PrismaClient, key: CodeKey): Promise<CodeRow | null> {
  const [row] = await prisma.$queryRaw<CodeRow[]>`UPDATE codes SET guesses = guesses + 1
    WHERE app_id = ${key.appId} AND purpose = ${key.purpose} AND subject = ${key.subject}
      AND used_at IS NULL AND guesses < ${limits.codeGuesses}::int
    RETURNING email, key_id AS "keyId", code_hash AS "codeHash", sent_at AS "sentAt"`;
  return row ?? null;
}

/** Spends the very code that was guessed; false when another call was first, or a new send replaced it. */
export async function consumeCodeRow(
  tx: Prisma.TransactionClient,
  key: CodeKey,
  codeHash: Uint8Array,
  now: Date,
): Promise<boolean> {
  const count = await tx.$executeRaw`UPDATE codes SET used_at = ${now}::timestamptz
    WHERE app_id = ${key.appId} AND purpose = ${key.purpose} AND subject = ${key.subject}
      AND used_at IS NULL AND code_hash = ${codeHash}::bytea`;
  return count === 1;
}

/** The codes of one subject, by their purpose. */
export async function findCodesOf(
  db: Db,
  ids: { appId: string; subject: string },
): Promise<Map<string, SentCode>> {
  const rows = await db.code.findMany({
    where: ids,
    select: { purpose: true, sentAt: true, usedAt: true, guesses: true },
  });
  return new Map(rows.map(({ purpose, ...code }) => [purpose, code]));
}

/** Every code of a user and of an email that the user had. */
export async function deleteCodesOf(
  tx: Prisma.TransactionClient,
  appId: string,
  subjects: string[],
): Promise<void> {
  await tx.code.deleteMany({ where: { appId, subject: { in: subjects } } });
}

/** Deletes at most `most` codes sent before the time; returns how many. */
export function deleteCodesSentBefore(prisma: PrismaClient, time: Date, most: number): Promise<number> {
  return prisma.$executeRaw`DELETE FROM codes WHERE (app_id, purpose, subject) IN (
    SELECT app_id, purpose, subject FROM codes WHERE sent_at < ${time}::timestamptz LIMIT ${most}::int)`;
}
