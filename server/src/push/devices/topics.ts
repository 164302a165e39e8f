// Topic subscriptions of a device.
import { limits } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { type AccessIds, deleteTopic, insertTopic, lockDevice } from './store.js';
import { isTopic } from './token-rules.js';

type TopicDeps = Pick<Deps, 'prisma'>;

export function subscribe(deps: TopicDeps, ids: AccessIds, topic: string): Promise<void> {
  return changeTopics(deps, ids, topic, async (tx) => {
    if (!(await insertTopic(tx, ids, topic, limits.pushTopicsPerDevice)))
      throw new ApiError('push/too-many-topics');
  });
}

export function unsubscribe(deps: TopicDeps, ids: AccessIds, topic: string): Promise<void> {
  return changeTopics(deps, ids, topic, (tx) => deleteTopic(tx, ids, topic));
}

export function requireTopic(topic: string): void {
  if (!isTopic(topic)) throw new ApiError('push/invalid-topic');
}

/** The lock on the device prevents parallel calls from exceeding the limit together. */
async function changeTopics(
  deps: TopicDeps,
  ids: AccessIds,
  topic: string,
  change: (tx: Prisma.TransactionClient) => Promise<void>,
): Promise<void> {
  requireTopic(topic);
  await deps.prisma.$transaction(async (tx) => {
    if (!(await lockDevice(tx, ids))) throw new ApiError('push/device-not-found');
    await change(tx);
  });
}
