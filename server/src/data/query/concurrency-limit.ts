// Concurrency limits for queries and lists, per app, so that one app cannot occupy the database. The wait queue is bounded:
// a request that could not start before its deadline is refused at once.
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
export type Acquire = (appId: string, milliseconds: number) => Promise<() => void>;

/** What a read of records may use. */
export type ReadResources = {
  concurrency: ConcurrencyLimits;
  /** Call before reading this many bytes; throws `request/unavailable` when the memory budget is exhausted. */
  reserve(bytes: number): void;
};

type Limit = { concurrent: number; waiting: number; code: 'data/query-timeout' | 'request/unavailable' };
type Slots = { running: number; waiting: (() => void)[] };

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

  function release(appId: string, slots: Slots): void {
    const next = slots.waiting.shift();
    if (next) {
      next();
      return;
    }
    slots.running -= 1;
    if (slots.running === 0) slotsByApp.delete(appId);
  }

  return async (appId, milliseconds) => {
    const slots = slotsByApp.get(appId) ?? { running: 0, waiting: [] };
    slotsByApp.set(appId, slots);
    if (slots.running < limit.concurrent) slots.running += 1;
    else if (slots.waiting.length < limit.waiting) await waitForSlot(slots, milliseconds, limit.code);
    else throw new ApiError(limit.code, { retryAfterSeconds: 1 });
    return () => release(appId, slots);
  };
}

function waitForSlot(slots: Slots, milliseconds: number, code: Limit['code']): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      slots.waiting.splice(slots.waiting.indexOf(start), 1);
      reject(new ApiError(code, { retryAfterSeconds: 1 }));
    }, milliseconds);
    slots.waiting.push(start);
  });
}
