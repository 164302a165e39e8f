// Concurrency limits for queries and lists, per app, so that one app cannot occupy the database. The wait queue is
// bounded: a request that could not start before its deadline is refused at once. Networks of clients are served round
// robin, each with a bounded part of the queue, so that none can block the others.
import { ApiError } from '../../lib/api-error.js';

export type ConcurrencyLimits = {
  /** For the first part of a query; most queries finish within it. */
  acquireShort: Acquire;
  /** For the rest of a long query. */
  acquireLong: Acquire;
  /** For a page of a list. */
  acquireList: Acquire;
};

/** Waits up to `milliseconds` for a slot and returns its release function. */
export type Acquire = (
  appId: string,
  milliseconds: number,
  /** Null for the app's backend, to which no part of a network applies. */
  network?: string | null,
) => Promise<() => void>;

/** What a read of records may use. */
export type ReadResources = {
  concurrency: ConcurrencyLimits;
  /** Call before reading this many bytes; throws `request/unavailable` when the memory budget is exhausted. */
  reserve(bytes: number): void;
};

type Limit = { concurrent: number; waiting: number; code: 'data/query-timeout' | 'request/unavailable' };
type Waiting = { network: string | null; start(): void };
type Slots = { running: (string | null)[]; waiting: Waiting[] };

/** The part of the queue that one network may fill. */
const networkShare = 1 / 5;

/** The embedded database has a single connection, which a running query blocks for all other requests. */
export function concurrencyLimits(kind: 'embedded' | 'postgresql'): ConcurrencyLimits {
  const embedded = kind === 'embedded';
  return {
    acquireShort: limiter({ concurrent: embedded ? 1 : 4, waiting: 1_000, code: 'data/query-timeout' }),
    acquireLong: limiter({ concurrent: embedded ? 1 : 2, waiting: 20, code: 'data/query-timeout' }),
    acquireList: limiter({ concurrent: embedded ? 1 : 4, waiting: 1_000, code: 'request/unavailable' }),
  };
}

function limiter(limit: Limit): Acquire {
  const slotsByApp = new Map<string, Slots>();

  function release(appId: string, slots: Slots, network: string | null): void {
    slots.running.splice(slots.running.indexOf(network), 1);
    const next = takeNext(slots);
    if (next) {
      slots.running.push(next.network);
      next.start();
    } else if (slots.running.length === 0) slotsByApp.delete(appId);
  }

  return async (appId, milliseconds, network = null) => {
    const slots = slotsByApp.get(appId) ?? { running: [], waiting: [] };
    slotsByApp.set(appId, slots);
    if (slots.running.length < limit.concurrent) slots.running.push(network);
    else if (mayWait(slots, limit.waiting, network))
      await waitForSlot(slots, milliseconds, limit.code, network);
    else throw new ApiError(limit.code, { retryAfterSeconds: 1 });
    return () => release(appId, slots, network);
  };
}

function mayWait({ waiting }: Slots, most: number, network: string | null): boolean {
  if (waiting.length >= most) return false;
  return network === null || countOf(network, waiting) < most * networkShare;
}

/** The first of the network that has the fewest running. */
function takeNext({ running, waiting }: Slots): Waiting | undefined {
  let best: Waiting | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const each of waiting) {
    const count = running.filter((network) => network === each.network).length;
    if (count >= fewest) continue;
    best = each;
    fewest = count;
  }
  if (best) waiting.splice(waiting.indexOf(best), 1);
  return best;
}

function countOf(network: string, waiting: Waiting[]): number {
  return waiting.filter((each) => each.network === network).length;
}

function waitForSlot(
  { waiting }: Slots,
  milliseconds: number,
  code: Limit['code'],
  network: string | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const mine: Waiting = {
      network,
      start() {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(mine), 1);
      reject(new ApiError(code, { retryAfterSeconds: 1 }));
    }, milliseconds);
    waiting.push(mine);
  });
}
