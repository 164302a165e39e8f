// The pause between two polls of the database: twice as long after each poll that found nothing, and short again once this
// process has done something that may be due.
import type { Clock } from './clock.js';

export type GrowingPause = {
  isOver(): boolean;
  /** Begins the pause after a poll. `dueAt` is when the first work that is known will be due. */
  begin(found: boolean, dueAt?: Date | null): void;
  /** Ends the pause; the following ones start small again. */
  wake(): void;
};

export function growingPause(
  clock: Clock,
  { minMilliseconds, maxMilliseconds }: { minMilliseconds: number; maxMilliseconds: number },
): GrowingPause {
  let pause = minMilliseconds;
  let startedAt = Number.NEGATIVE_INFINITY;
  let endsAt = Number.NEGATIVE_INFINITY;
  return {
    isOver() {
      const now = clock.now().getTime();
      // The pause also ends when the clock has stepped back, which makes the elapsed time unknown.
      return now >= endsAt || now < startedAt;
    },
    begin(found, dueAt) {
      if (found) pause = minMilliseconds;
      startedAt = clock.now().getTime();
      endsAt = Math.min(startedAt + pause, dueAt?.getTime() ?? Number.POSITIVE_INFINITY);
      if (!found) pause = Math.min(2 * pause, maxMilliseconds);
    },
    wake() {
      pause = minMilliseconds;
      endsAt = Number.NEGATIVE_INFINITY;
    },
  };
}
