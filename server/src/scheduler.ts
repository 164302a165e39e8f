// Background work of the process: webhooks every second, signing keys every few seconds, figures every minute, retention every
// day. It follows the service's clock, and several instances may run it at the same time.
import { handleIndexJobs } from './data/records/index-jobs.js';
import type { Deps } from './deps.js';
import { removeBytes } from './files/remove-bytes.js';
import { exchangeCodes } from './identities/exchange-code.js';
import { revokeTokens } from './identities/revoke-provider-tokens.js';
import { dayMilliseconds } from './lib/timestamp.js';
import { deliverMail } from './mail/deliver-mail.js';
import { purgeDeletedAccounts } from './profile/purge-accounts.js';
import { sendPushMessages } from './push/messages/fan-out.js';
import { purge, retention } from './retention.js';
import { countV2UsageDue } from './v1/api/migration-figures.js';
import { deliveryWorker } from './webhooks/deliveries/delivery-worker.js';

export type Scheduler = {
  /** Runs the work that is due; failures are logged and retried later. */
  run(): Promise<void>;
  stop(): Promise<void>;
};

const pollMilliseconds = 1_000;
/** Failures recorded since the last flush are lost in a crash. */
const flushMilliseconds = 100;
const accountsMilliseconds = 10_000;
const minuteMilliseconds = 60_000;

type Step = (deps: Deps) => Promise<unknown>;

export function scheduler(deps: Deps, options: { timer: boolean }): Scheduler {
  const webhooks = deliveryWorker(deps);
  const rounds = [
    roundOf(deps, accountsMilliseconds, { purgeDeletedAccounts }),
    roundOf(deps, minuteMilliseconds, { countV2UsageDue }),
    roundOf(deps, dayMilliseconds, retentionSteps()),
  ];

  async function run(): Promise<void> {
    // Concurrently: the daily round may take minutes.
    await Promise.all([
      deps.auditBuffer.flush(),
      send(),
      readSigningKeys(),
      ...rounds.map((round) => round.run()),
    ]);
  }

  /** With a timer it does not wait for receivers: the next poll follows anyway. */
  async function send(): Promise<void> {
    await (options.timer ? webhooks.poll() : webhooks.runNow()).catch((error) =>
      deps.logger.error({ err: error }, 'webhooks could not be sent'),
    );
  }

  async function readSigningKeys(): Promise<void> {
    await deps.signingKeys
      .reload('due')
      .catch((error) => deps.logger.error({ err: error }, 'the signing keys could not be read again'));
  }

  const timer = options.timer ? setInterval(run, pollMilliseconds).unref() : undefined;
  const flush = options.timer
    ? setInterval(() => void deps.auditBuffer.poll(), flushMilliseconds).unref()
    : undefined;
  if (options.timer) deps.queue.poll();
  return {
    run,
    async stop() {
      clearInterval(timer);
      clearInterval(flush);
      await Promise.all(rounds.map((round) => round.stop()));
      await webhooks.stop();
    },
  };
}

function retentionSteps(): Record<string, Step> {
  const names = Object.keys(retention) as (keyof typeof retention)[];
  return Object.fromEntries(names.map((name) => [name, (deps: Deps) => purge(deps, name)]));
}

/**
 * Runs steps periodically, one after another, so that they do not compete for database connections. A step that fails is
 * retried a minute later and does not delay the others.
 */
function roundOf(deps: Deps, everyMilliseconds: number, steps: Record<string, Step>) {
  const dueAt = new Map<string, number>();
  let running: Promise<void> | null = null;
  let stopping = false;

  async function runDue(): Promise<void> {
    for (const [name, step] of Object.entries(steps)) {
      const now = deps.clock.now().getTime();
      if (stopping || now < (dueAt.get(name) ?? now)) continue;
      try {
        await step(deps);
        dueAt.set(name, now + everyMilliseconds);
      } catch (error) {
        deps.logger.error({ err: error, step: name }, 'background work failed');
        dueAt.set(name, now + minuteMilliseconds);
      }
    }
  }

  return {
    run(): Promise<void> {
      running ??= runDue().finally(() => {
        running = null;
      });
      return running;
    },
    /** Waits for the step that is running; the next start runs the others. */
    async stop() {
      stopping = true;
      await running;
    },
  };
}

/** Registers the handler of each kind of queued job, and creates their queues. */
export async function startJobs(deps: Deps): Promise<void> {
  deliverMail(deps);
  sendPushMessages(deps);
  exchangeCodes(deps);
  revokeTokens(deps);
  removeBytes(deps);
  handleIndexJobs(deps);
  await deps.queue.start();
}
