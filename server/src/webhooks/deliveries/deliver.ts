// Sends what is due, now and again whenever an attempt ends. A receiver that is slow holds its own few places and no
// other's; one that failed last holds fewer still, and comes after those that work.
import type { Deps } from '../../deps.js';
import { attemptDelivery, leaseMilliseconds } from './attempt.js';
import { dispatchEvents } from './dispatch.js';
import { type ClaimedDelivery, claimDeliveries } from './store.js';

export { deleteOldDeliveries } from './store.js';

export type WebhookWork = {
  /** Begins the attempts that are due, and does not wait for them. */
  look(): Promise<void>;
  /** Does everything that is due now, to its end: for tests. */
  runNow(): Promise<void>;
  /** Waits for the attempts that run, for ten seconds at most; what is cut off is sent again by another. */
  stop(): Promise<void>;
};

const perWebhook = { working: 10, failing: 2 };
const maxAttempts = 256;
/** A quarter: what one app sends holds back no other's. */
const perApp = 64;
const stopMilliseconds = 10_000;

export function webhookWork(deps: Deps): WebhookWork {
  const attempts = new Set<Promise<void>>();
  const running = new Map<string, number>();
  let claiming: Promise<void> | null = null;
  let looking: Promise<void> | null = null;
  let claimAgain = false;
  let stopping = false;
  let begun = 0;

  function claim(): Promise<void> {
    claimAgain = true;
    claiming ??= claimWhileAsked().finally(() => {
      claiming = null;
    });
    return claiming;
  }

  async function claimWhileAsked(): Promise<void> {
    while (claimAgain && !stopping) {
      claimAgain = false;
      const most = maxAttempts - attempts.size;
      // Full: the first attempt that ends asks again.
      if (most === 0) return;
      const now = deps.clock.now();
      const until = new Date(now.getTime() + leaseMilliseconds);
      const leaseId = deps.random.ulid(now);
      const lease = { now, until, leaseId, most, perWebhook, perApp, running: Object.fromEntries(running) };
      for (const delivery of await claimDeliveries(deps.prisma, lease)) begin(delivery, leaseId);
    }
  }

  function begin(delivery: ClaimedDelivery, leaseId: string): void {
    begun += 1;
    count(delivery.endpointId, 1);
    count(delivery.appId, 1);
    const attempt = attemptDelivery(deps, delivery, leaseId)
      .catch((error) => deps.logger.error({ err: error }, 'the outcome of a webhook could not be written'))
      .finally(() => {
        attempts.delete(attempt);
        count(delivery.endpointId, -1);
        count(delivery.appId, -1);
        claim().catch((error) => deps.logger.warn({ err: error }, 'webhooks that are due could not be read'));
      });
    attempts.add(attempt);
  }

  function count(id: string, change: number): void {
    const next = (running.get(id) ?? 0) + change;
    if (next === 0) running.delete(id);
    else running.set(id, next);
  }

  /** A database that is slow is not asked again before it has answered. */
  function look(): Promise<void> {
    looking ??= dispatchAndClaim().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function dispatchAndClaim(): Promise<void> {
    for (let more = !stopping; more && !stopping; ) {
      // What is written already is sent, also where no more can be written.
      try {
        more = await dispatchEvents(deps);
      } finally {
        await claim();
      }
    }
  }

  return {
    look,
    async runNow() {
      // What ends makes room for the rest of a replay.
      for (let before = -1; before !== begun; ) {
        before = begun;
        await look();
        while (attempts.size > 0 || claiming) {
          await Promise.all(attempts);
          await claiming;
        }
      }
    },
    async stop() {
      stopping = true;
      // A claim under way still begins attempts.
      const ended = Promise.allSettled([looking, claiming]).then(() => Promise.allSettled(attempts));
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise((resolve) => {
        timer = setTimeout(resolve, stopMilliseconds);
      });
      await Promise.race([ended, enough]);
      clearTimeout(timer);
    },
  };
}
