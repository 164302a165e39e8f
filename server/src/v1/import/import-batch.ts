// Imports a batch of lines in one transaction: every user with all data of v1, or nothing of the batch.
import { isUnavailable } from '@foyer/prisma';
import type { StoreDeps } from '../../deps.js';
import type { App } from '../../model/app.js';
import { lockImports } from '../../users/admin/import-users.js';
import { type Claim, checkClaim, take, type Verdict } from './conflict-rules.js';
import { rowsOf } from './rows.js';
import { findTaken, insertImported } from './store.js';
import type { V1Export } from './v1-export.js';

/** `pause` uses the clock of the machine. */
export type ImportDeps = StoreDeps & { pause(milliseconds: number): Promise<void> };

export type BatchLine = { number: number; user: V1Export; lineHash: string; notes: string[] };

/** A value that was free when the batch was checked is taken: by the running service, or a second import. */
class TakenMeanwhile extends Error {}

/** Before each retry: a database that is busy or restarts is available again after some seconds. */
const pauseMilliseconds = [1_000, 2_000, 4_000, 8_000];

/**
 * A user is imported whole or not at all, and one line may contain 60,000 history entries: this takes longer than a
 * call may.
 */
const transactionMilliseconds = 60_000;

/** One verdict for each line, in their order. */
export async function importBatch(deps: ImportDeps, app: App, lines: BatchLine[]): Promise<Verdict[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await importOnce(deps, app, lines);
    } catch (error) {
      const pause = pauseMilliseconds[tries];
      if (pause === undefined) throw error;
      if (isUnavailable(error)) await deps.pause(pause);
      else if (!(error instanceof TakenMeanwhile)) throw error;
    }
  }
}

function importOnce(deps: StoreDeps, app: App, lines: BatchLine[]): Promise<Verdict[]> {
  const now = deps.clock.now();
  return deps.prisma.$transaction(
    async (tx) => {
      await lockImports(tx, app.id);
      const claims = lines.map(claimOf);
      const taken = await findTaken(tx, app.id, claims);
      const verdicts = claims.map((claim) => {
        const verdict = checkClaim(claim, taken);
        if (verdict.as === 'new') take(claim, taken);
        return verdict;
      });
      const rows = lines
        .filter((_, place) => verdicts[place]?.as === 'new')
        .map((line) => rowsOf(deps, line, now));
      if (rows.length > 0 && !(await insertImported(tx, app.id, rows))) throw new TakenMeanwhile();
      return verdicts;
    },
    { timeout: transactionMilliseconds },
  );
}

function claimOf({ user, lineHash }: BatchLine): Claim {
  const { id: v1Id, email, member_id: memberId, tokens } = user;
  return { v1Id, lineHash, email, memberId, tokens: tokens.map(({ sha256 }) => sha256) };
}
