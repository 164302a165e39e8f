// One attempt of one delivery: signs, sends once, records the outcome. An attempt without a recorded outcome is repeated when
// its lease expires, so delivery is at least once.
import { limits } from '@foyer/contract';
import { connectionFailure, ForbiddenUrlError } from '../../../engines/safe-fetch/index.js';
import type { Deps } from '../../deps.js';
import { eventName } from '../../events/event.js';
import { before, dayMilliseconds } from '../../lib/timestamp.js';
import { signaturesOf } from '../endpoints/secret.js';
import { findWebhookRow } from '../endpoints/store.js';
import { disableWebhook } from '../endpoints/update-webhook.js';
import {
  type AttemptResult,
  type AttemptVerdict,
  classifyAttempt,
  errorOf,
  goneStatus,
} from './delivery-rules.js';
import { bodyOf, headersOf, responseText } from './message.js';
import { type ClaimedDelivery, recordOutcome } from './store.js';

/** The lease is longer than any attempt, so that no other instance claims a running one. */
export const leaseMilliseconds = 60_000;

/** The bytes read of a response: enough to reuse the connection after a short one. */
const maxAnswerBytes = 16_384;
const uint32Range = 2 ** 32;

export async function attemptDelivery(deps: Deps, delivery: ClaimedDelivery, leaseId: string): Promise<void> {
  const startedAt = performance.now();
  const sentAt = deps.clock.now();
  const body = await bodyOf(deps, delivery);
  const result: SendResult =
    body === null ? { error: 'the event is no longer stored' } : await send(deps, delivery, body, sentAt);
  const now = deps.clock.now();
  const isTest = delivery.trigger === 'test';
  const isGone = 'status' in result && result.status === goneStatus;
  const verdict = classifyAttempt({
    result,
    step: delivery.step,
    // Neither a test nor an event that is no longer stored is retried.
    scheduled: !isTest && body !== null,
    urlChanged: isGone && (await hasUrlChanged(deps, delivery)),
    now,
    chance: deps.random.bytes(4).readUInt32BE() / uint32Range,
  });
  const recorded = await recordOutcome(
    deps.prisma,
    { ...delivery, leaseId },
    {
      status: verdict.kind === 'retry' ? 'pending' : verdict.kind,
      step: verdict.kind === 'retry' ? verdict.step : delivery.step,
      nextAttemptAt: verdict.kind === 'retry' ? verdict.at : null,
      lastAttemptAt: sentAt,
      responseStatus: 'status' in result ? result.status : null,
      durationMs: Math.round(performance.now() - startedAt),
      error: errorOf(result),
      requestUrl: body === null ? null : delivery.url,
      responseBody: 'responseBody' in result ? result.responseBody : null,
    },
    // Neither a test nor a deleted event affects the health of the webhook.
    !isTest && body !== null,
  );
  if (recorded && !isTest) await disableIfFailing(deps, delivery, verdict, now);
}

async function disableIfFailing(
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

/** Whether the URL of the webhook changed during the attempt. */
async function hasUrlChanged(deps: Deps, { appId, endpointId, url }: ClaimedDelivery): Promise<boolean> {
  const webhook = await findWebhookRow(deps.prisma, { appId, id: endpointId });
  return webhook !== null && webhook.url !== url;
}

type SendResult = AttemptResult & { responseBody?: string | null };

async function send(deps: Deps, delivery: ClaimedDelivery, body: string, sentAt: Date): Promise<SendResult> {
  const signature = signed(deps, delivery, body, sentAt);
  if (signature === null) return { error: 'the secret of the webhook cannot be decrypted' };
  const headers = { ...headersOf(delivery.eventId, sentAt), 'webhook-signature': signature };
  try {
    const { status, body: response } = await deps.ssrfSafeFetch.send(delivery.url, {
      headers,
      body,
      timeoutMilliseconds: limits.webhookTimeoutSeconds * 1_000,
      maxAnswerBytes,
    });
    return { status, responseBody: responseText(response) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

/** Returns null if the encryption key of the secret is missing: without an outcome, the attempt would be repeated each minute. */
function signed(deps: Deps, delivery: ClaimedDelivery, body: string, sentAt: Date): string | null {
  const message = { id: eventName(delivery.eventId), time: sentAt, body };
  const webhook = { appId: delivery.appId, id: delivery.endpointId };
  try {
    return signaturesOf(deps.keyRing, webhook, delivery, message);
  } catch (error) {
    deps.logger.error(
      { err: error, app_id: webhook.appId, webhook: webhook.id },
      'a webhook cannot be signed',
    );
    return null;
  }
}

/** What the app's team reads: without IP addresses and without text of the receiver. */
function describeError(error: unknown): string {
  if (error instanceof ForbiddenUrlError) return `the URL ${error.message}`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no complete response within ${limits.webhookTimeoutSeconds} seconds`;
  return connectionFailure(error);
}
