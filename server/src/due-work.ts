// What the process does by itself: the signing keys are read again every few seconds, and old rows go once a day. Both
// are judged by the service's clock, and both may run on several instances at once. Queued jobs run beside them.
import { forgetOldAuditEntries } from './audit/forget-old-entries.js';
import { forgetOldCodes } from './codes/forget-old-codes.js';
import type { Deps } from './deps.js';
import { forgetSeenIdTokens } from './identities/forget-seen-id-tokens.js';
import { dayMilliseconds } from './lib/timestamp.js';
import { forgetEndedSessions } from './sessions/forget-ended.js';
import { forgetRetiredKeys } from './tokens/signing-keys.js';
import { forgetOldEvents } from './webhooks/forget-old-events.js';

export type DueWork = {
  /** Does what is due now; failures are logged and tried again the next time. */
  run(): Promise<void>;
  stop(): Promise<void>;
};

const lookMilliseconds = 1_000;

export function dueWork(deps: Deps, options: { timer: boolean }): DueWork {
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function clean(): Promise<void> {
    const now = deps.clock.now().getTime();
    if (now - cleanedAt < dayMilliseconds) return;
    await forgetEndedSessions(deps);
    await forgetOldCodes(deps);
    await forgetSeenIdTokens(deps);
    await forgetOldEvents(deps);
    await forgetOldAuditEntries(deps);
    await forgetRetiredKeys(deps);
    cleanedAt = now;
  }

  function run(): Promise<void> {
    running ??= Promise.allSettled([deps.signingKeys.reload('due'), clean()])
      .then((results) => {
        for (const result of results) {
          if (result.status === 'rejected')
            deps.logger.error({ err: result.reason }, 'background work failed');
        }
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  const timer = options.timer ? setInterval(run, lookMilliseconds).unref() : undefined;
  if (options.timer) deps.queue.poll();
  return {
    run,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
