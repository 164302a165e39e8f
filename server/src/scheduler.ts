// Background work of the process, by the service's clock. Each instance sends webhooks, reads signing keys and writes
// statistics every few seconds; one of all instances purges accounts, counts users, and applies retention.
import { type Step, stepsOfEach, stepsOfOne } from '../engines/schedule/index.js';
import { handleIndexJobs } from './data/records/index-jobs.js';
import type { Deps } from './deps.js';
import { removeBytes } from './files/remove-bytes.js';
import { exchangeCodes } from './identities/exchange-code.js';
import { revokeTokens } from './identities/revoke-provider-tokens.js';
import { dayMilliseconds, hourMilliseconds } from './lib/timestamp.js';
import { deliverMail } from './mail/deliver-mail.js';
import { purgeDeletedAccounts } from './profile/purge-accounts.js';
import { sendPushMessages } from './push/messages/fan-out.js';
import { purge, retention } from './retention.js';
import { writeExports } from './user-export/write-export.js';
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
/** Counts since the last flush are lost in a crash. */
const statsMilliseconds = 5_000;
const minuteMilliseconds = 60_000;

export function scheduler(deps: Deps, options: { timer: boolean }): Scheduler {
  const webhooks = deliveryWorker(deps);
  const rounds = [
    stepsOfEach(deps, statsMilliseconds, { writeDailyCounts: () => deps.dailyCounters.flush() }),
    stepsOfOne(deps, minuteMilliseconds, { purgeDeletedAccounts: () => purgeDeletedAccounts(deps) }),
    stepsOfOne(deps, minuteMilliseconds, { countV2UsageDue: () => countV2UsageDue(deps) }),
    stepsOfOne(deps, hourMilliseconds, { maintainQueue: () => deps.queue.maintain() }),
    stepsOfOne(deps, dayMilliseconds, retentionSteps(deps)),
  ];

  // With a timer it does not wait for receivers: the next poll follows anyway.
  const send = loggedOnce(deps, 'webhooks could not be sent', () =>
    options.timer ? webhooks.pollIfDue() : webhooks.runNow(),
  );
  const readSigningKeys = loggedOnce(deps, 'the signing keys could not be read again', () =>
    deps.signingKeys.reload('due'),
  );

  async function run(): Promise<void> {
    // Concurrently: the daily round may take minutes.
    await Promise.all([
      deps.auditBuffer.flush(),
      send(),
      readSigningKeys(),
      ...rounds.map((round) => round.run()),
    ]);
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
      await Promise.all([webhooks, ...rounds].map((work) => work.stop()));
    },
  };
}

/** Logs failures of work that is repeated every second: of consecutive failures only the first is logged. */
function loggedOnce(deps: Pick<Deps, 'logger'>, sentence: string, work: () => Promise<void>) {
  let isFailing = false;
  return async () => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) deps.logger.error({ err: error }, sentence);
      isFailing = true;
    }
  };
}

function retentionSteps(deps: Deps): Record<string, Step> {
  const names = Object.keys(retention) as (keyof typeof retention)[];
  return Object.fromEntries(names.map((name) => [name, () => purge(deps, name)]));
}

/** Registers the handler of each kind of queued job, and creates their queues. */
export async function startJobs(deps: Deps): Promise<void> {
  deliverMail(deps);
  sendPushMessages(deps);
  exchangeCodes(deps);
  revokeTokens(deps);
  removeBytes(deps);
  handleIndexJobs(deps);
  writeExports(deps);
  await deps.queue.start();
}
