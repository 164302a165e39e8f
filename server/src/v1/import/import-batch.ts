// Imports a batch of lines in one transaction: every user with all data of v1, or nothing of the batch.
import { type ImportDeps, retryImport } from '../../admin-users/retry-import.js';
import { lockImports } from '../../admin-users/store.js';
import type { StoreDeps } from '../../deps.js';
import type { App } from '../../model/app.js';
import type { V1Export } from './complete-times.js';
import { type Claim, checkClaim, take, type Verdict } from './conflict-rules.js';
import { rowsOf } from './rows.js';
import { findTaken, insertImported } from './store.js';

export type BatchLine = { number: number; user: V1Export; lineHash: string; notes: string[] };

/** A value that was free when the batch was checked is taken: by the running service, or a second import. */
class TakenMeanwhile extends Error {}

/**
 * A user is imported whole or not at all, and one line may contain 60,000 history entries: this takes longer than a
 * call may.
 */
const transactionMilliseconds = 60_000;

/** One verdict for each line, in their order. */
export function importBatch(deps: ImportDeps, app: App, lines: BatchLine[]): Promise<Verdict[]> {
  const isPassing = (error: unknown) => error instanceof TakenMeanwhile;
  return retryImport(deps, isPassing, () => importOnce(deps, app, lines));
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
