// Sends a message to its devices, one bounded batch per job: each job sends to some devices, writes their receipts, and queues
// the next. Memory is constant in the number of devices, and a crash repeats only sends whose receipts were not written.
import type { Tx } from '@foyer/prisma';
import { deferred, noAnswer, pauseSeconds, type Verdict } from '../../../engines/push-senders/index.js';
import { transaction } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { PushProvider } from '../devices/columns.js';
import { countTargets, findTargetsAmong, listTargets, type PushTarget } from '../devices/find-targets.js';
import type { MessageRow } from './columns.js';
import { receiptWriter } from './receipt-writer.js';
import { type SendOne, sendersOf } from './senders.js';
import {
  advanceMessage,
  beginBatch,
  devicesWithReceipt,
  failRetrying,
  finishMessage,
  hasRetrying,
  listRetrying,
  type MessageIds,
  type NewReceipt,
  setTargetCount,
} from './store.js';

const pushJobs = 'push';

/** One batch of a message: a repeated job finds that the message has advanced to a later step. */
type PushJob = MessageIds & { step: number };

const batchDevices = 200;
/** Per batch, and so per message. */
const concurrentSends = 100;
/** The first over all devices, then five retries of the remaining ones within about an hour. */
const maxPasses = 6;
/** FCM and APNs also limit a single device, which must not delay the others. As many in a batch show a limit of the sender. */
const limitedDevicesOfSender = 3;
/** A third of a second on a busy database. */
const failedAtOnce = 10_000;

export async function queueSending(
  tx: Tx,
  deps: Pick<Deps, 'queue'>,
  job: PushJob,
  startAfterSeconds = 0,
): Promise<void> {
  await deps.queue.send(tx, pushJobs, job, { startAfterSeconds });
}

export function sendPushMessages(deps: Deps): void {
  // A batch in which every send times out takes ten seconds: with 16 jobs at once, other messages still progress, and with four
  // of an app, the messages of other apps.
  const options = {
    concurrency: 16,
    concurrencyOfShare: 4,
    retryLimit: 20,
    retryDelaySeconds: 5,
    expireSeconds: 120,
  };
  const handler = {
    run: (job: PushJob) => sendBatch(deps, job),
    failed: (job: PushJob) => finish(deps, job, 'internal-error'),
  };
  deps.queue.handle<PushJob>(pushJobs, handler, options);
}

async function sendBatch(deps: Deps, job: PushJob): Promise<void> {
  const { step, ...ids } = job;
  const message = await beginBatch(deps.prisma, ids, step);
  if (!message) return;
  const app = await deps.apps.byId(ids.appId);
  if (!app?.enabled) return finish(deps, job, 'app-switched-off');
  // Devices have come and gone since the message was scheduled.
  if (step === 0 && message.sendAt) await countAgain(deps, ids, message);

  const batch = await nextBatch(deps, ids, message);
  if (batch.lastDevice === undefined) return finishPass(deps, ids, message);
  const outcome = await sendAll(
    deps,
    ids,
    { message, recipients: batch.recipients },
    await sendersOf(deps, app),
  );
  if (outcome.stopped !== null) return finish(deps, job, outcome.stopped);

  const waitSeconds = Math.max(message.waitSeconds, outcome.waitSeconds);
  // After a rate limit of the sender, the rest of the batch is read again after the pause.
  const afterDevice = outcome.pauseSeconds > 0 ? message.afterDevice : batch.lastDevice;
  const next = { pass: message.pass, afterDevice, waitSeconds };
  await queueNextStep(deps, ids, message, { ...next, afterSeconds: outcome.pauseSeconds });
}

async function countAgain(deps: Deps, ids: MessageIds, message: MessageRow): Promise<void> {
  const counts = await countTargets(deps, ids.appId, message.target, registeredUntil(message));
  await setTargetCount(
    deps.prisma,
    ids,
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );
}

/** Devices that were registered later are not targets. */
const registeredUntil = ({ sendAt, createdAt }: MessageRow) => sendAt ?? createdAt;

/** Where the batch ends, and the devices in it that have no receipt of this pass. */
type Batch = { lastDevice: string | undefined; recipients: Recipient[] };

type Recipient = {
  deviceId: string;
  provider: PushProvider;
  /** Null if it is no longer a target of the message. */
  target: PushTarget | null;
  /** The number of attempts before this one. */
  attempts: number;
};

async function nextBatch(deps: Deps, ids: MessageIds, message: MessageRow): Promise<Batch> {
  const { prisma } = deps;
  if (message.pass > 1) {
    const waiting = await listRetrying(prisma, ids, message, batchDevices);
    const deviceIds = waiting.map(({ deviceId }) => deviceId);
    const found = await findTargetsAmong(deps, ids.appId, message.target, deviceIds);
    const recipients = waiting.map((one) => ({
      ...one,
      target: meant(message, found.get(one.deviceId) ?? null),
    }));
    return { lastDevice: deviceIds.at(-1), recipients };
  }
  const place = { after: message.afterDevice, until: registeredUntil(message), limit: batchDevices };
  const found = await listTargets(deps, ids.appId, message.target, place);
  const deviceIds = found.map(({ id }) => id);
  const done = await devicesWithReceipt(prisma, ids, deviceIds);
  const recipients = found
    .filter(({ id }) => !done.has(id))
    .map((target) => ({
      deviceId: target.id,
      provider: target.provider,
      target: meant(message, target),
      attempts: 0,
    }));
  return { lastDevice: deviceIds.at(-1), recipients };
}

/** Null for a device that has another user than when the message was accepted: the content is not for that user. */
function meant({ target: { owners } }: MessageRow, device: PushTarget | null): PushTarget | null {
  const owner = device === null ? undefined : owners?.[device.id];
  const isOfOther = owner !== undefined && device?.uid !== null && device?.uid !== owner;
  return isOfOther ? null : device;
}

type Outcome = { stopped: string | null; waitSeconds: number; pauseSeconds: number; limitedDevices: number };

/** A worker writes each receipt before it takes the next device. */
async function sendAll(
  deps: Deps,
  ids: MessageIds,
  { message, recipients }: { message: MessageRow; recipients: Recipient[] },
  send: SendOne,
): Promise<Outcome> {
  const outcome: Outcome = { stopped: null, waitSeconds: 0, pauseSeconds: 0, limitedDevices: 0 };
  const write = receiptWriter(deps, ids);
  const waiting = recipients.values();

  async function work(): Promise<void> {
    for (const recipient of waiting) {
      const verdict = await sendTo(recipient, message, send);
      updateOutcome(outcome, recipient.provider, verdict);
      await write(receiptOf(recipient, message.pass, verdict));
      if (outcome.stopped !== null || outcome.pauseSeconds > 0) return;
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: concurrentSends }, work));
  const broken = workers.find((worker) => worker.status === 'rejected');
  if (broken) throw broken.reason;
  return outcome;
}

/**
 * Each endpoint that does not answer delays its batch by the timeout, and a stranger can register hundreds an hour. One that
 * did not answer the last message is tried after all other devices, and once.
 */
async function sendTo(
  { target, attempts }: Recipient,
  { pass, content }: MessageRow,
  send: SendOne,
): Promise<Verdict> {
  if (!target) return { is: 'failed', error: 'no-longer-meant' };
  if (pass === 1) return target.isUnanswered ? deferred : send(target, content);
  const verdict = await send(target, content);
  const wasDeferred = attempts === 0;
  return wasDeferred && verdict === noAnswer ? { is: 'failed', error: noAnswer.error } : verdict;
}

function updateOutcome(outcome: Outcome, provider: PushProvider, verdict: Verdict): void {
  if (verdict.is === 'stop') outcome.stopped ??= verdict.error;
  if (verdict.is !== 'retry' || provider === 'webpush') return;
  // A Web Push endpoint may belong to an attacker, who must not slow down the other devices.
  outcome.waitSeconds = Math.max(outcome.waitSeconds, verdict.afterSeconds ?? 0);
  if (verdict.error !== 'status-429' && !verdict.error.startsWith('TooMany')) return;
  outcome.limitedDevices += 1;
  if (outcome.limitedDevices >= limitedDevicesOfSender || verdict.error === 'TooManyProviderTokenUpdates')
    outcome.pauseSeconds = Math.max(outcome.pauseSeconds, pauseSeconds(1, verdict.afterSeconds ?? 0));
}

function receiptOf(
  { deviceId, provider, target, attempts: before }: Recipient,
  pass: number,
  verdict: Verdict,
): NewReceipt {
  const last = pass >= maxPasses;
  const attempts = verdict === deferred ? 0 : before + 1;
  const isNoAnswer = 'error' in verdict && verdict.error === noAnswer.error;
  const status = verdict.is === 'stop' || (verdict.is === 'retry' && last) ? 'failed' : verdict.is;
  return {
    deviceId,
    provider,
    status: status === 'retry' ? 'retrying' : status,
    error: 'error' in verdict ? verdict.error : null,
    providerMessageId: verdict.is === 'accepted' ? verdict.providerMessageId : null,
    attempts,
    // A message counts once, with its first attempt.
    unanswered: provider === 'webpush' && isNoAnswer && attempts === 1,
    answered: provider === 'webpush' && verdict !== deferred && !isNoAnswer,
    registeredAt: target?.lastRegisteredAt ?? new Date(0),
  };
}

async function finishPass(deps: Deps, ids: MessageIds, message: MessageRow): Promise<void> {
  const { pass } = message;
  if (pass >= maxPasses || !(await hasRetrying(deps.prisma, ids))) {
    return finish(deps, { ...ids, step: message.step }, null);
  }
  const next = { pass: pass + 1, afterDevice: '', waitSeconds: 0 };
  await queueNextStep(deps, ids, message, {
    ...next,
    afterSeconds: pauseSeconds(pass, message.waitSeconds),
  });
}

async function finish(
  { prisma, clock }: Pick<Deps, 'prisma' | 'clock'>,
  job: PushJob,
  error: string | null,
): Promise<void> {
  // After an outage of a provider, all devices may await their retry: more than one statement can change in its time.
  while ((await failRetrying(prisma, job, clock.now(), failedAtOnce)) === failedAtOnce);
  await finishMessage(prisma, job, error, clock.now());
}

async function queueNextStep(
  deps: Deps,
  ids: MessageIds,
  from: MessageRow,
  { afterSeconds, ...to }: { pass: number; afterDevice: string; waitSeconds: number; afterSeconds: number },
): Promise<void> {
  await transaction(deps, async (tx) => {
    if (await advanceMessage(tx, ids, from.step, to))
      await queueSending(tx, deps, { ...ids, step: from.step + 1 }, afterSeconds);
  });
}
