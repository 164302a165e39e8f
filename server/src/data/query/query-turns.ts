// Turns for queries and lists: a few at a time of each app, so that no app keeps the database from the others, and no further ones
// wait than can come to their turn in time.
import { ApiError } from '../../lib/api-error.js';

export type QueryTurns = {
  /** For what a query begins with, which is all there is of most. */
  takeQuick: TakeTurn;
  /** For the rest of one that takes long. */
  takeLong: TakeTurn;
  /** For a page of a list. */
  takeList: TakeTurn;
};

/** Waits for a turn, up to so many milliseconds, and gives what ends it; refuses with the line's code after that. */
export type TakeTurn = (appId: string, milliseconds: number) => Promise<() => void>;

type Bounds = { atOnce: number; mayWait: number; code: 'data/query-timeout' | 'request/unavailable' };
type Line = { running: number; waiting: (() => void)[] };

/** The embedded database has one connection, and all else waits while it works. */
export function queryTurns(kind: 'embedded' | 'postgresql'): QueryTurns {
  const embedded = kind === 'embedded';
  return {
    takeQuick: turnsOf({ atOnce: embedded ? 1 : 4, mayWait: 1_000, code: 'data/query-timeout' }),
    takeLong: turnsOf({ atOnce: embedded ? 1 : 2, mayWait: 20, code: 'data/query-timeout' }),
    takeList: turnsOf({ atOnce: embedded ? 1 : 4, mayWait: 1_000, code: 'request/unavailable' }),
  };
}

function turnsOf({ atOnce, mayWait, code }: Bounds): TakeTurn {
  const lines = new Map<string, Line>();

  function end(appId: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) lines.delete(appId);
  }

  return async (appId, milliseconds) => {
    const line = lines.get(appId) ?? { running: 0, waiting: [] };
    lines.set(appId, line);
    if (line.running < atOnce) line.running += 1;
    else if (line.waiting.length < mayWait) await comeUp(line, milliseconds, code);
    else throw new ApiError(code, { retryAfterSeconds: 1 });
    return () => end(appId, line);
  };
}

function comeUp(line: Line, milliseconds: number, code: Bounds['code']): Promise<void> {
  return new Promise((resolve, reject) => {
    const mine = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      line.waiting.splice(line.waiting.indexOf(mine), 1);
      reject(new ApiError(code, { retryAfterSeconds: 1 }));
    }, milliseconds);
    line.waiting.push(mine);
  });
}
