// The limit of a user's guesses at the second factor, for support: when it ends, and lifting it.
import type { PrismaClient, Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { limitedUntil } from './guess-rules.js';
import { findFactor, lockFactor, writeFactor } from './store.js';

/** Null below the limit. */
export async function guessesLimitedUntil(
  prisma: PrismaClient,
  ids: UserIds,
  now: Date,
): Promise<Date | null> {
  const row = await findFactor(prisma, ids);
  return row && limitedUntil(row, now);
}

/** Tickets that started a session stay used up. */
export async function forgetGuesses(tx: Tx, ids: UserIds): Promise<void> {
  if (await lockFactor(tx, ids)) await writeFactor(tx, ids, { guessTimes: [], guessTickets: [] });
}
