// Retries a batch of an import from the command line while the database is busy or restarts.
import { isUnavailable } from '@foyer/prisma';
import type { StoreDeps } from '../deps.js';

/** `pause` uses the clock of the machine. */
export type ImportDeps = StoreDeps & { pause(milliseconds: number): Promise<void> };

/** The pauses before each retry: a database that is busy or restarts is available again after some seconds. */
const pauseMilliseconds = [1_000, 2_000, 4_000, 8_000];

/** An error that `isPassing` is followed by another attempt at once. */
export async function retryImport<T>(
  deps: Pick<ImportDeps, 'pause'>,
  isPassing: (error: unknown) => boolean,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pause = pauseMilliseconds[tries];
      if (pause === undefined) throw error;
      if (isUnavailable(error)) await deps.pause(pause);
      else if (!isPassing(error)) throw error;
    }
  }
}
