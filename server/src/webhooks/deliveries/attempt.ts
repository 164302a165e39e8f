// One attempt of one delivery: signed, sent once, and its outcome written. An attempt that nobody could write the outcome
// of is made again when its lease is over: at least once, never not at all.
import { limits, testEventType } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { eventName, serializeEvent } from '../../events/event.js';
import { OutboundRefusal } from '../../lib/http/outbound.js';
import { before, dayMilliseconds, timestamp } from '../../lib/timestamp.js';
import { signaturesOf } from '../endpoints/secret.js';
import { findWebhookRow } from '../endpoints/store.js';
import { disableWebhook } from '../endpoints/update-webhook.js';
import {
  type AttemptResult,
  type AttemptVerdict,
  failureOf,
  goneStatus,
  judgeAttempt,
} from './delivery-rules.js';
import { type ClaimedDelivery, recordOutcome } from './store.js';

/** Longer than any attempt, so that none is taken over while it runs. */
export const leaseMilliseconds = 60_000;

/** What of an answer is read: enough to keep the connection of a receiver that says little. */
const maxAnswerBytes = 16_384;
const chances = 2 ** 32;

export async function attemptDelivery(deps: Deps, delivery: ClaimedDelivery, leaseId: string): Promise<void> {
  const startedAt = performance.now();
  const body = bodyOf(delivery);
  const result = body === null ? { error: 'the event is no longer kept' } : await send(deps, delivery, body);
  const now = deps.clock.now();
  const isTest = delivery.trigger === 'test';
  const isGone = 'status' in result && result.status === goneStatus;
  const verdict: AttemptVerdict =
    body === null
      ? { kind: 'failed', gone: false }
      : judgeAttempt({
          result,
          step: delivery.step,
          scheduled: !isTest,
          moved: isGone && (await hasMoved(deps, delivery)),
          now,
          chance: deps.random.bytes(4).readUInt32BE() / chances,
        });
  const recorded = await recordOutcome(
    deps.prisma,
    { ...delivery, leaseId },
    {
      status: verdict.kind === 'again' ? 'pending' : verdict.kind,
      step: verdict.kind === 'again' ? verdict.step : delivery.step,
      nextAttemptAt: verdict.kind === 'again' ? verdict.at : null,
      lastAttemptAt: now,
      responseStatus: 'status' in result ? result.status : null,
      durationMs: Math.round(performance.now() - startedAt),
      error: failureOf(result),
    },
    // A test says nothing of how events fare, and an event that is gone nothing of the receiver.
    !isTest && body !== null,
  );
  if (recorded && !isTest) await disableIfHopeless(deps, delivery, verdict, now);
}

async function disableIfHopeless(
  deps: Deps,
  { appId, endpointId, url, failingSince }: ClaimedDelivery,
  verdict: AttemptVerdict,
  now: Date,
): Promise<void> {
  const ids = { appId, id: endpointId };
  if (verdict.kind === 'failed' && verdict.gone) return disableWebhook(deps, ids, 'gone', { url });
  const failingBefore = before(now, limits.webhookFailingDays * dayMilliseconds);
  if (verdict.kind !== 'succeeded' && failingSince && failingSince <= failingBefore) {
    return disableWebhook(deps, ids, 'failing', { url, failingBefore });
  }
}

/** Whether its webhook got another address while the attempt ran. */
async function hasMoved(deps: Deps, { appId, endpointId, url }: ClaimedDelivery): Promise<boolean> {
  const webhook = await findWebhookRow(deps.prisma, { appId, id: endpointId });
  return webhook !== null && webhook.url !== url;
}

/** Null when the event is no longer kept. */
function bodyOf(delivery: ClaimedDelivery): string | null {
  const { appId, eventId, eventType, eventData, eventCreatedAt } = delivery;
  if (delivery.trigger === 'test') {
    return JSON.stringify({
      id: eventName(eventId),
      type: testEventType,
      timestamp: timestamp(delivery.createdAt),
      app_id: appId,
      data: { webhook_id: delivery.endpointId },
    });
  }
  if (eventType === null || eventCreatedAt === null) return null;
  const event = { appId, id: eventId, type: eventType, data: eventData, createdAt: eventCreatedAt };
  return JSON.stringify(serializeEvent(event));
}

async function send(deps: Deps, delivery: ClaimedDelivery, body: string): Promise<AttemptResult> {
  const now = deps.clock.now();
  const message = { id: eventName(delivery.eventId), time: now, body };
  const webhook = { appId: delivery.appId, id: delivery.endpointId };
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Foyer-Webhooks/1',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': signaturesOf(deps.keyRing, webhook, delivery, message),
  };
  try {
    const { status } = await deps.outbound.send(delivery.url, {
      headers,
      body,
      timeoutMilliseconds: limits.webhookTimeoutSeconds * 1_000,
      maxAnswerBytes,
    });
    return { status };
  } catch (error) {
    return { error: sentenceOf(error) };
  }
}

/** For the app's team: no address of a machine, and no words of a receiver. */
function sentenceOf(error: unknown): string {
  if (error instanceof OutboundRefusal) return `the address ${error.message}`;
  if (!(error instanceof Error)) return 'the connection failed';
  if (error.name === 'TimeoutError')
    return `no complete answer within ${limits.webhookTimeoutSeconds} seconds`;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `the connection failed (${code.slice(0, 64)})` : 'the connection failed';
}
