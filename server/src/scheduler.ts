// What the process does by itself: it sends webhooks every second, reads the signing keys again every few seconds,
// counts users once an hour and deletes old rows once a day. It goes by the service's clock; several instances may do it
// at once.
import { purgeOldAuditEntries } from './audit/purge-old-entries.js';
import { purgeOldCodes } from './codes/purge-old-codes.js';
import { handleIndexJobs } from './data/records/index-jobs.js';
import type { Deps } from './deps.js';
import { purgeOldEvents } from './events/purge-old-events.js';
import { removeBytes } from './files/remove-bytes.js';
import { purgeOldIdempotencyKeys } from './idempotency/purge-old-keys.js';
import { exchangeCodes } from './identities/exchange-code.js';
import { purgeSeenIdTokens } from './identities/purge-seen-id-tokens.js';
import { revokeTokens } from './identities/revoke-provider-tokens.js';
import { dayMilliseconds } from './lib/timestamp.js';
import { deliverMail } from './mail/deliver-mail.js';
import { purgeDeletedAccounts } from './profile/purge-accounts.js';
import { purgeOldDevices } from './push/devices/purge-old-devices.js';
import { sendPushMessages } from './push/messages/fan-out.js';
import { purgeOldMessages } from './push/messages/purge-old-messages.js';
import { purgeEndedSessions } from './sessions/purge-ended.js';
import { purgeRetiredKeys } from './tokens/rotate-signing-keys.js';
import { countV2UsageDue } from './v1/api/migration-figures.js';
import { purgeIdleV1Tokens } from './v1/tokens/end-v1-tokens.js';
import { webhookWork } from './webhooks/deliveries/deliver.js';
import { purgeOldDeliveries } from './webhooks/deliveries/purge-old-deliveries.js';
import { purgePreviousSecrets } from './webhooks/endpoints/secret.js';

export type Scheduler = {
  /** Does what is due now; failures are logged and tried again later. */
  run(): Promise<void>;
  stop(): Promise<void>;
};

const lookMilliseconds = 1_000;
/** A crash loses the failures that were noted since. */
const notesMilliseconds = 100;
const purgeMilliseconds = 10_000;
const minuteMilliseconds = 60_000;

type Step = (deps: Deps) => Promise<unknown>;

const daily: Step[] = [
  purgeEndedSessions,
  purgeIdleV1Tokens,
  purgeOldCodes,
  purgeSeenIdTokens,
  purgeOldDevices,
  purgeOldMessages,
  purgeOldIdempotencyKeys,
  purgeOldEvents,
  purgeOldDeliveries,
  purgePreviousSecrets,
  purgeOldAuditEntries,
  purgeRetiredKeys,
];

export function scheduler(deps: Deps, options: { timer: boolean }): Scheduler {
  const webhooks = webhookWork(deps);
  const rounds = [
    roundOf(deps, purgeMilliseconds, [purgeDeletedAccounts]),
    roundOf(deps, minuteMilliseconds, [countV2UsageDue]),
    roundOf(deps, dayMilliseconds, daily),
  ];

  async function run(): Promise<void> {
    // Each apart from the rest, which may take minutes once a day.
    await Promise.all([
      deps.auditNotes.flush(),
      send(),
      readSigningKeys(),
      ...rounds.map((round) => round.run()),
    ]);
  }

  /** With a timer nobody waits for a receiver: the next look comes all the same. */
  async function send(): Promise<void> {
    await (options.timer ? webhooks.look() : webhooks.runNow()).catch((error) =>
      deps.logger.error({ err: error }, 'webhooks could not be sent'),
    );
  }

  async function readSigningKeys(): Promise<void> {
    await deps.signingKeys
      .reload('due')
      .catch((error) => deps.logger.error({ err: error }, 'the signing keys could not be read again'));
  }

  const timer = options.timer ? setInterval(run, lookMilliseconds).unref() : undefined;
  const notes = options.timer
    ? setInterval(() => void deps.auditNotes.poll(), notesMilliseconds).unref()
    : undefined;
  if (options.timer) deps.queue.poll();
  return {
    run,
    async stop() {
      clearInterval(timer);
      clearInterval(notes);
      await Promise.all(rounds.map((round) => round.stop()));
      await webhooks.stop();
    },
  };
}

/**
 * Steps that are each done every so often, one after the other, so that they do not all ask for the database at once.
 * One that fails holds up no other: it alone is tried again, a minute later.
 */
function roundOf(deps: Deps, everyMilliseconds: number, steps: Step[]) {
  const dueAt = new Map<Step, number>();
  let running: Promise<void> | null = null;
  let stopping = false;

  async function doInTurn(): Promise<void> {
    for (const step of steps) {
      const now = deps.clock.now().getTime();
      if (stopping || now < (dueAt.get(step) ?? now)) continue;
      try {
        await step(deps);
        dueAt.set(step, now + everyMilliseconds);
      } catch (error) {
        deps.logger.error({ err: error, step: step.name }, 'background work failed');
        dueAt.set(step, now + minuteMilliseconds);
      }
    }
  }

  return {
    run(): Promise<void> {
      running ??= doInTurn().finally(() => {
        running = null;
      });
      return running;
    },
    /** Waits for the step that runs; the others are left to the next start. */
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
