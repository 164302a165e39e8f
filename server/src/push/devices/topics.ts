// Topic subscriptions of a device.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { transaction } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Call } from '../../model/call.js';
import { type AccessIds, deleteTopic, insertTopic, isSubscribed, lockDevice } from './store.js';
import { isTopic } from './token-rules.js';

type TopicDeps = Pick<Deps, 'prisma'>;

export async function subscribe(
  deps: TopicDeps & Pick<Deps, 'limiter'>,
  { app, ip }: Pick<Call, 'app' | 'ip'>,
  ids: AccessIds,
  topic: string,
): Promise<void> {
  requireTopic(topic);
  // Stored as long as the device, so attackers could fill the table with made-up topics.
  if (!(await isSubscribed(deps.prisma, ids, topic)))
    await deps.limiter.consume('new-topic', app, ids.uid ?? { ip });
  await changeTopics(deps, ids, async (tx) => {
    if (!(await insertTopic(tx, ids, topic, limits.pushTopicsPerDevice)))
      throw new ApiError('push/too-many-topics');
  });
}

export async function unsubscribe(deps: TopicDeps, ids: AccessIds, topic: string): Promise<void> {
  requireTopic(topic);
  await changeTopics(deps, ids, (tx) => deleteTopic(tx, ids, topic));
}

export function requireTopic(topic: string): void {
  if (!isTopic(topic)) throw new ApiError('push/invalid-topic');
}

/** The lock on the device prevents parallel calls from exceeding the limit together. */
async function changeTopics(
  deps: TopicDeps,
  ids: AccessIds,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  await transaction(deps, async (tx) => {
    if (!(await lockDevice(tx, ids))) throw new ApiError('push/device-not-found');
    await change(tx);
  });
}
