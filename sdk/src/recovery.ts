// What a client does on its own after a failure: it sends a refresh token again whose response may be lost, while the
// service still repeats that response, and finds out when the service is reachable again.
import { unansweredMs } from './active-session.js';
import type { AuthState } from './api.js';
import type { CurrentSession } from './current-session.js';
import type { FoyerError } from './errors.js';
import type { Send } from './http.js';
import type { PendingSignOuts } from './pending-sign-outs.js';
import type { Renewal } from './renewal.js';

/** The service repeats the response to a spent token for 30 seconds, and one attempt may take 8. */
const lastResendMs = 20_000;
const firstWaitMs = 2_000;
const maxWaitMs = 60_000;

interface Parts {
  current: CurrentSession;
  state: { readonly current: AuthState };
  renewal: Renewal;
  signOuts: PendingSignOuts;
  send: Send;
  /** Called when the network or the page is back. */
  onWake: () => void;
}

export interface Recovery {
  /** Starts to recover, unless nothing failed or it has started; if the service is reachable, at once. */
  start(isReachable?: boolean): void;
  close(): void;
}

export function createRecovery({ current, state, renewal, signOuts, send, onWake }: Parts): Recovery {
  const closing = new AbortController();
  let running = false;
  let endWait = () => {};
  let woken = false;

  const resendableMs = () => (current.active ? lastResendMs - unansweredMs(current.active) : 0);
  const isOffline = () => state.current.status === 'signedIn' && !state.current.online;
  const isNeeded = () =>
    !closing.signal.aborted && (isOffline() || resendableMs() > 0 || signOuts.isPending());

  async function run(): Promise<void> {
    let waitMs = firstWaitMs;
    let leastMs = 0;
    while (isNeeded()) {
      // The last send starts a second early: timers are late on a busy device.
      const lastMs = resendableMs() - 1_000;
      // Spread over time: an outage ends for every client at once.
      const spread = 0.75 + Math.random() / 2;
      await wait(Math.max(leastMs, lastMs > 0 ? Math.min(spread * firstWaitMs, lastMs) : spread * waitMs));
      leastMs = 0;
      if (lastMs <= 0) waitMs = Math.min(1.25 * waitMs, maxWaitMs);
      if (!isNeeded()) break;
      // A failure is reported as an event; the next attempt follows.
      await attempt().catch(({ retryAfterMs = 0 }: FoyerError) => {
        leastMs = retryAfterMs;
      });
    }
    running = false;
  }

  async function attempt(): Promise<void> {
    const session = current.active;
    const isWoken = woken;
    woken = false;
    void signOuts.retry();
    if (session && (isWoken ? unansweredMs(session) < Number.POSITIVE_INFINITY : resendableMs() > 0)) {
      return renewal.join(session, isWoken ? undefined : 0);
    }
    if (!isOffline()) return;
    await send('GET /config');
    current.merge({ online: true });
  }

  /** Waits, at most until the network or the page is back. */
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      endWait = resolve;
      if (woken) return resolve();
      // A pending attempt does not keep a Node process alive.
      (setTimeout(resolve, ms) as { unref?(): void }).unref?.();
    });
  }

  function wake(): void {
    if (globalThis.document?.visibilityState === 'hidden') return;
    onWake();
    woken = true;
    endWait();
  }

  function listen(target: EventTarget | undefined, type: string): void {
    target?.addEventListener?.(type, wake, { signal: closing.signal });
  }
  listen(globalThis as unknown as EventTarget, 'online');
  listen(globalThis.document, 'visibilitychange');

  return {
    start(isReachable) {
      if (isReachable) endWait();
      if (running || !isNeeded()) return;
      running = true;
      woken = false;
      void run();
    },
    close() {
      closing.abort();
      endWait();
    },
  };
}
