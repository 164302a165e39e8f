// Turns: how many calls run at a time, in all and for each party that a call belongs to (its app, network, user or record). The
// others wait in memory, before they take a connection of the database, so that a connection never waits for the lock of a
// row that another call of the same party holds. The party served least recently goes next, at each level. A party may occupy only
// part of the queue: one user, network or app delays the others by a turn and never by its whole queue.
import type { ErrorCode } from '@foyer/contract';
import { ApiError } from '../../src/lib/api-error.js';
import { type Elapsed, systemElapsed } from '../../src/lib/elapsed.js';

/** Upper bound of the cool-down: a long call may only have waited for a lock. */
const maxRestMilliseconds = 250;

/** The limits of one party. */
export type Share = {
  key: string;
  /** The calls of the party that run at a time. */
  running: number;
  /** The calls of the party that may wait, as a share of the places that are then free. */
  waiting: number;
  /**
   * While calls of the party wait, the place of one that has ended stays taken for this multiple of its time, so that the party
   * does not use all of the processors.
   */
  rest?: number;
};

export type Wait = {
  milliseconds: number;
  /** The code of the error when no turn comes in time, or too many calls wait already. */
  code: ErrorCode;
  /** Ends the wait, as when the client has closed its connection. */
  signal?: AbortSignal | undefined;
};

export type Turns = {
  /**
   * Waits for a turn and returns the function that ends it. The parties are those of the call, the widest first: turns are
   * divided evenly among the first ones, then among the second ones of each, and so on.
   */
  take(shares: readonly Share[], wait: Wait): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
  /** The parties that have a turn or wait for one. */
  readonly parties: number;
};

type Party = { key: string; running: number; waiting: number; servedAt: number };
type Entry = { shares: readonly Share[]; parties: Party[]; start(): void };

export function turns({
  running: maxRunning,
  waiting: maxWaiting,
  elapsed = systemElapsed,
}: Pick<Share, 'running' | 'waiting'> & { elapsed?: Elapsed }): Turns {
  const parties = new Map<string, Party>();
  const queue: Entry[] = [];
  let running = 0;
  let served = 0;

  function partyOf({ key }: Share): Party {
    const party = parties.get(key) ?? { key, running: 0, waiting: 0, servedAt: 0 };
    parties.set(key, party);
    return party;
  }

  /**
   * Forgets a party without calls. One that has calls stays in the map, so that all calls of a key count in one object; an idle
   * one may have been forgotten before, and another call may have made a new one of its key.
   */
  function forgetIdle(party: Party): void {
    const { key, running, waiting } = party;
    if (running + waiting === 0 && parties.get(key) === party) parties.delete(key);
  }

  const mayStart = ({ shares, parties }: Entry) =>
    running < maxRunning && parties.every((party, place) => party.running < shares[place]!.running);

  function mayWait({ shares, parties }: Entry): boolean {
    const free = maxWaiting - queue.length;
    return free > 0 && parties.every(({ waiting }, place) => waiting < free * shares[place]!.waiting);
  }

  function start(entry: Entry): void {
    running += 1;
    served += 1;
    for (const party of entry.parties) {
      party.running += 1;
      party.servedAt = served;
    }
  }

  function leave(entry: Entry): void {
    queue.splice(queue.indexOf(entry), 1);
    for (const party of entry.parties) party.waiting -= 1;
  }

  function startNext(): void {
    const next = queue.filter(mayStart).reduce<Entry | null>(earlier, null);
    if (!next) return;
    next.start();
    startNext();
  }

  /** Resolves to the error that ended the wait, or to null once the call runs. */
  function waitForTurn(entry: Entry, wait: Wait): Promise<ApiError | null> {
    return new Promise((resolve) => {
      const ended = (error: ApiError | null) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        if (!error) start(entry);
        leave(entry);
        resolve(error);
      };
      const { milliseconds, signal } = wait;
      const giveUp = () => ended(refusalOf(wait));
      const timer = setTimeout(giveUp, milliseconds);
      signal?.addEventListener('abort', giveUp);
      entry.start = () => ended(null);
      queue.push(entry);
      for (const party of entry.parties) party.waiting += 1;
    });
  }

  function restOf(party: Party, milliseconds: number): void {
    setTimeout(() => {
      party.running -= 1;
      startNext();
      forgetIdle(party);
    }, milliseconds).unref();
  }

  return {
    async take(shares, wait) {
      const entry: Entry = { shares, parties: shares.map(partyOf), start() {} };
      if (mayStart(entry)) start(entry);
      else {
        const error =
          wait.signal?.aborted || !mayWait(entry) ? refusalOf(wait) : await waitForTurn(entry, wait);
        entry.parties.forEach(forgetIdle);
        if (error) throw error;
      }
      const began = elapsed();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        running -= 1;
        for (const [place, party] of entry.parties.entries()) {
          const { rest = 0 } = shares[place] as Share;
          const milliseconds = Math.min(rest * (elapsed() - began), maxRestMilliseconds);
          if (party.waiting > 0 && milliseconds >= 1) restOf(party, milliseconds);
          else party.running -= 1;
        }
        startNext();
        entry.parties.forEach(forgetIdle);
      };
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
    get parties() {
      return parties.size;
    },
  };
}

function refusalOf({ code }: Wait): ApiError {
  return new ApiError(code, { retryAfterSeconds: 1 });
}

/** Returns the waiting call whose widest party was served longer ago; if they are equal, the one that waited longer. */
function earlier(first: Entry | null, second: Entry): Entry {
  if (!first) return second;
  for (const [place, party] of first.parties.entries()) {
    const other = second.parties[place];
    if (!other) break;
    if (party.servedAt !== other.servedAt) return party.servedAt < other.servedAt ? first : second;
  }
  return first;
}
