// POST /admin/push/send: validates the message, counts its targets, and queues the sending.
import { limits, type PushMessageInput } from '@foyer/contract';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import type { StoreResponse } from '../../idempotency/stored-response.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { App } from '../../model/app.js';
import { countTargets, type PushProvider, type Target } from '../devices/find-targets.js';
import { requireTopic } from '../devices/topics.js';
import { queueSending } from './fan-out.js';
import { isConfigured } from './senders.js';
import { insertMessage } from './store.js';

export { deleteMessagesBefore, deleteReceiptsBefore } from './store.js';

export type Sent = { id: string | null; status: 'queued' | 'dry_run'; target_count: number };

export async function sendMessage(
  deps: Deps,
  app: App,
  actor: Actor,
  input: PushMessageInput,
  store: StoreResponse<Sent>,
): Promise<Sent> {
  const { notification, data, options = {} } = input;
  const target = requireTarget(input);
  if (Buffer.byteLength(JSON.stringify({ notification, data })) > limits.pushPayloadBytes)
    throw new ApiError('push/payload-too-large');
  const now = deps.clock.now();
  const counts = await countTargets(deps, app.id, target, now);
  requireProvider(deps, app, [...counts.keys()]);
  const targetCount = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (input.dry_run) return { id: null, status: 'dry_run', target_count: targetCount };

  const ids = { appId: app.id, messageId: deps.random.ulid(now) };
  const sent: Sent = { id: ids.messageId, status: 'queued', target_count: targetCount };
  const content = { notification: notification ?? null, data: data ?? null, options };
  await deps.prisma.$transaction(async (tx) => {
    await insertMessage(tx, { ...ids, target, content, targetCount, now });
    await queueSending(tx, deps, { ...ids, step: 0 });
    await writeAuditEntry(tx, deps, {
      appId: app.id,
      actor,
      action: 'push.sent',
      target: `push_message:${ids.messageId}`,
      details: { to: Object.keys(target), target_count: targetCount },
    });
    await store(tx, sent);
  });
  deps.queue.wake();
  return sent;
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
