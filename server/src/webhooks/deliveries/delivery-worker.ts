// Claims and attempts due deliveries, at each poll and whenever an attempt ends. A slow receiver occupies only its own slots; a
// failing one has fewer of them and lower priority.
import type { Deps } from '../../deps.js';
import { growingPause } from '../../lib/growing-pause.js';
import { singleFlight } from '../../lib/single-flight.js';
import { waitToStop } from '../../lib/wait-to-stop.js';
import { eventDispatcher } from '../dispatch/dispatch.js';
import { findWork } from '../dispatch/store.js';
import { attemptDelivery } from './attempt.js';
import { claimDue } from './claim-due.js';
import type { ClaimedDelivery } from './store.js';

const perWebhook = { working: 10, failing: 2 };
const maxAttempts = 256;
/** A quarter of `maxAttempts`, so that one app cannot delay the others. */
const perApp = 64;
/** The longest is how late the work of another instance that died may be found. */
const pauses = { minMilliseconds: 1_000, maxMilliseconds: 10_000 };

export function deliveryWorker(deps: Deps) {
  const attempts = new Set<Promise<void>>();
  const dispatchEvents = eventDispatcher(deps);
  const pause = growingPause(deps.clock, pauses);
  deps.background.listen(pause.wake);
  const running = new Map<string, number>();
  let claimAgain = false;
  let stopping = false;
  let started = 0;

  function claim(): Promise<void> {
    claimAgain = true;
    return claiming.run();
  }

  const mayClaim = () => claimAgain && !stopping;

  const claiming = singleFlight(async () => {
    if (!mayClaim()) return;
    claimAgain = false;
    const limit = maxAttempts - attempts.size;
    // Full: the next attempt that ends claims again.
    if (limit === 0) return;
    const leaseId = deps.random.ulid(deps.clock.now());
    const slots = { leaseId, limit, perWebhook, perApp, running: Object.fromEntries(running) };
    for await (const claimed of claimDue(deps, slots)) {
      for (const delivery of claimed) begin(delivery, leaseId);
      if (stopping) return;
    }
  }, mayClaim);

  function begin(delivery: ClaimedDelivery, leaseId: string): void {
    started += 1;
    count(delivery.endpointId, 1);
    count(delivery.appId, 1);
    const attempt = attemptDelivery(deps, delivery, leaseId)
      .catch((error) =>
        deps.logger.error({ err: error }, 'the outcome of a webhook delivery could not be recorded'),
      )
      .finally(() => {
        attempts.delete(attempt);
        count(delivery.endpointId, -1);
        count(delivery.appId, -1);
        // A failed one may be due again before the pause ends.
        pause.wake();
        claim().catch((error) =>
          deps.logger.warn({ err: error }, 'due webhook deliveries could not be claimed'),
        );
      });
    attempts.add(attempt);
  }

  function count(id: string, change: number): void {
    const next = (running.get(id) ?? 0) + change;
    if (next === 0) running.delete(id);
    else running.set(id, next);
  }

  async function dispatchAndClaim(): Promise<void> {
    if (stopping) return;
    const work = await findWork(deps.prisma);
    const pending = work.events.length + work.replays.length > 0;
    const due = work.dueAt !== null && work.dueAt <= deps.clock.now();
    pause.begin(pending || due, work.dueAt);
    for (let more = pending; more && !stopping; ) {
      // Existing deliveries are sent even if no new ones can be written.
      try {
        more = await dispatchEvents();
      } finally {
        await claim();
      }
    }
    if (due && !pending) await claim();
  }

  const polling = singleFlight(dispatchAndClaim);

  return {
    /**
     * Starts due attempts without waiting for them, unless the pause since the last poll is not over. A slow database is not
     * polled again before it answers.
     */
    async pollIfDue(): Promise<void> {
      if (pause.isOver()) await polling.run();
    },
    /** Runs everything that is due to completion, for tests. */
    async runNow(): Promise<void> {
      // Completed deliveries make room for the rest of a replay.
      for (let before = -1; before !== started; ) {
        before = started;
        await polling.run();
        while (attempts.size > 0 || claiming.running) {
          await Promise.all(attempts);
          await claiming.running;
        }
      }
    },
    /** Waits for running attempts, up to a limit. */
    async stop(): Promise<void> {
      stopping = true;
      // A running claim still starts attempts.
      const ended = Promise.allSettled([polling.running, claiming.running]).then(() =>
        Promise.allSettled(attempts),
      );
      await waitToStop(ended);
    },
  };
}
