// POST /admin/push/send: validates the message, counts its targets, and queues the sending, now or for a later time.
import { limits, type PushMessageInput } from '@foyer/contract';
import { change } from '../../change.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import { ulidWithTime } from '../../lib/crypto/ulid-bytes.js';
import { dayMilliseconds, timestamp } from '../../lib/timestamp.js';
import type { App } from '../../model/app.js';
import type { Call } from '../../model/call.js';
import type { PushProvider, Target } from '../devices/columns.js';
import { countTargets } from '../devices/find-targets.js';
import { findOwners } from '../devices/store.js';
import { requireTopic } from '../devices/topics.js';
import { queueSending } from './fan-out.js';
import { isConfigured } from './senders.js';
import { countScheduled, insertMessage, lockScheduled } from './store.js';

export type Sent = { id: string | null; status: 'queued' | 'scheduled' | 'dry_run'; target_count: number };

export async function sendMessage(
  deps: Deps,
  call: Call,
  input: PushMessageInput,
  store: StoreResponse<Sent>,
): Promise<Sent> {
  const { app } = call;
  const { notification, data, options = {} } = input;
  const target = requireTarget(input);
  if (Buffer.byteLength(JSON.stringify({ notification, data })) > limits.pushPayloadBytes)
    throw new ApiError('push/payload-too-large');
  const now = deps.clock.now();
  const sendAt = requireSendTime(input.send_at, now);
  const counts = await countTargets(deps, app.id, target, now);
  requireProvider(deps, app, [...counts.keys()]);
  const targetCount = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (input.dry_run) return { id: null, status: 'dry_run', target_count: targetCount };

  // The order of the list and the retention, which follow the ids, are those of the time of sending.
  const ids = { appId: app.id, messageId: ulidWithTime(deps.random.ulid(now), sendAt ?? now) };
  const status = sendAt === null ? 'queued' : 'scheduled';
  const sent: Sent = { id: ids.messageId, status, target_count: targetCount };
  const content = { notification: notification ?? null, data: data ?? null, options };
  await change(deps, call, async (tx, record) => {
    if (sendAt !== null) {
      await lockScheduled(tx, app.id);
      if ((await countScheduled(tx, app.id, now)) >= limits.scheduledPushMessages)
        throw new ApiError('push/too-many-scheduled');
    }
    const createdBy = call.actor.name;
    const stored = target.device_ids
      ? { ...target, owners: await findOwners(tx, app.id, target.device_ids) }
      : target;
    await insertMessage(tx, { ...ids, target: stored, content, targetCount, status, sendAt, createdBy, now });
    const seconds = sendAt === null ? 0 : (sendAt.getTime() - now.getTime()) / 1_000;
    await queueSending(tx, deps, { ...ids, step: 0 }, seconds);
    await record.audit({
      action: 'push.sent',
      target: `push_message:${ids.messageId}`,
      details: {
        to: Object.keys(target),
        target_count: targetCount,
        ...(sendAt && { send_at: timestamp(sendAt) }),
      },
    });
    await store(tx, sent);
  });
  return sent;
}

/** Null for at once, which is what a time in the past means. */
function requireSendTime(given: string | undefined, now: Date): Date | null {
  const at = given === undefined ? now : new Date(given);
  if (at.getTime() > now.getTime() + limits.pushAheadDays * dayMilliseconds)
    throw new ApiError('push/invalid-send-time');
  return at > now ? at : null;
}

/** Exactly one of the four kinds of target. */
function requireTarget({ uids, device_ids, topic, all }: PushMessageInput): Target {
  const given = Object.entries({ uids, device_ids, topic, all }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) throw new ApiError('push/invalid-target');
  if (topic !== undefined) requireTopic(topic);
  return Object.fromEntries(given);
}

/** Refuses if no target device has a provider with credentials. */
function requireProvider(deps: Pick<Deps, 'config'>, app: App, providers: PushProvider[]): void {
  if (providers.length > 0 && !providers.some((provider) => isConfigured(deps, app, provider)))
    throw new ApiError('push/provider-not-configured');
}
