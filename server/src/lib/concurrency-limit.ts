// A concurrency limit per app, so that one app cannot occupy the database or the process. The wait queue is bounded: a call
// that could not start before its deadline is refused at once. Networks of clients are served round robin, each with a
// bounded part of the queue, so that none can block the others.
import type { ErrorCode } from '@foyer/contract';
import { ApiError } from './api-error.js';

/** Waits up to `milliseconds` for a slot and returns its release function. */
export type Acquire = (
  appId: string,
  milliseconds: number,
  /** Null for the app's backend, to which no part of a network applies. */
  network?: string | null,
) => Promise<() => void>;

type Limit = { concurrent: number; waiting: number; code: ErrorCode };
type Waiting = { network: string | null; start(): void };
type Slots = { running: (string | null)[]; waiting: Waiting[] };

/** The part of the queue that one network may fill. */
const networkShare = 1 / 5;

export function concurrencyLimit(limit: Limit): Acquire {
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
    else if (!mayWait(slots, limit.waiting, network) || !(await waitForSlot(slots, milliseconds, network))) {
      throw new ApiError(limit.code, { retryAfterSeconds: 1 });
    }
    return () => release(appId, slots, network);
  };
}

function mayWait({ waiting }: Slots, maxWaiting: number, network: string | null): boolean {
  if (waiting.length >= maxWaiting) return false;
  const waitingOfNetwork = waiting.filter((each) => each.network === network).length;
  return network === null || waitingOfNetwork < maxWaiting * networkShare;
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

/** False if none was free in time. */
function waitForSlot({ waiting }: Slots, milliseconds: number, network: string | null): Promise<boolean> {
  return new Promise((resolve) => {
    const mine: Waiting = {
      network,
      start() {
        clearTimeout(timer);
        resolve(true);
      },
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(mine), 1);
      resolve(false);
    }, milliseconds);
    waiting.push(mine);
  });
}
