// What a client does on its own after a failure: it sends a refresh token again whose response may be lost, while the
// service still repeats that response, and finds out when the service is reachable again.
import type { FoyerError } from '../errors.js';
import { idle, maxTimerMs } from '../http/bounded.js';
import { send } from '../http/send.js';
import type { Core } from './core.js';
import { retrySignOuts } from './pending-sign-outs.js';
import { maxBackoffMs, renew } from './renewal.js';
import { merge } from './session.js';
import { sync } from './tabs.js';

/**
 * The service repeats the response to a spent token for 30 seconds from the first time that reached it (`refreshReuseSeconds` of the
 * contract). A later send ends the session if the token was spent, and so would the next call.
 */
const lastResendMs = 28_000;
/** The last send starts a second early: timers are late on a busy device. */
const lastChanceMs = lastResendMs - 1_000;
const firstWaitMs = 2_000;
const maxWaitMs = 60_000;

/** Returns `core.recover`; it also recovers when the network or the page is back, until the client is disposed of. */
export function createRecovery(core: Core): Core['recover'] {
  const { signal } = core.closing;
  let isRunning = false;
  let isWoken = false;
  let endWait = () => {};

  const isOffline = () => core.active?.online === false;
  /** Milliseconds since the refresh token was first sent whose response has not arrived; without one, the longest time. */
  const unansweredMs = () => {
    const { sent, refreshToken } = core.active ?? {};
    return sent && sent.refreshToken === refreshToken ? sent.ageMs() : maxTimerMs;
  };
  const isNeeded = () =>
    !signal.aborted && (isOffline() || unansweredMs() < lastResendMs || core.endings.size > 0);

  async function run(): Promise<void> {
    let waitMs = firstWaitMs;
    let leastMs = 0;
    while (isNeeded()) {
      const lastMs = lastChanceMs - unansweredMs();
      // Spread over time: an outage ends for every client at once.
      const spread = 0.75 + Math.random() / 2;
      const nextMs = Math.max(leastMs, spread * (lastMs > 0 ? firstWaitMs : waitMs));
      // The last chance of a session whose token may be spent comes before a Retry-After.
      await wait(lastMs > 0 ? Math.min(nextMs, lastMs) : nextMs);
      if (lastMs <= 0) waitMs = Math.min(1.25 * waitMs, maxWaitMs);
      if (!isNeeded()) break;
      // A failure is reported as an event; the next attempt follows.
      leastMs = await attempt().then(
        () => 0,
        ({ retryAfterMs = 0 }: FoyerError) => Math.min(retryAfterMs, maxBackoffMs),
      );
    }
    isRunning = false;
  }

  async function attempt(): Promise<void> {
    const { active } = core;
    const maxUnansweredMs = isWoken ? maxTimerMs : lastResendMs;
    const maxRetries = isWoken ? undefined : 0;
    isWoken = false;
    retrySignOuts(core);
    const ageMs = unansweredMs();
    if (active && ageMs < maxUnansweredMs) {
      if (active.lostToken === active.refreshToken && ageMs >= lastChanceMs && ageMs < lastResendMs)
        delete active.backoff;
      return renew(core, active, active.refreshes, maxRetries);
    }
    if (!isOffline()) return;
    await send(core, 'GET /config');
    merge(core, { online: true });
  }

  /** Waits, at most until the network or the page is back. */
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      endWait = resolve;
      if (isWoken) resolve();
      else idle(ms).then(resolve);
    });
  }

  function wake(): void {
    if (globalThis.document?.hidden) return;
    void sync(core);
    // The limit may have been that of another network.
    if (core.active) delete core.active.backoff;
    isWoken = true;
    endWait();
  }

  // Listens without the option `signal`: that of a page simulated in Node may be of another class.
  globalThis.addEventListener?.('online', wake);
  globalThis.document?.addEventListener?.('visibilitychange', wake);
  core.options.wakeOn?.(wake, signal);
  signal.addEventListener('abort', () => {
    globalThis.removeEventListener?.('online', wake);
    globalThis.document?.removeEventListener?.('visibilitychange', wake);
  });

  return (isReachable) => {
    if (isReachable) endWait();
    if (isRunning || !isNeeded()) return;
    isRunning = true;
    isWoken = false;
    void run();
  };
}
