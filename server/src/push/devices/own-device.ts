// Deleting a device, and its topics. A device that has a user is that user's alone; of one that has none the id, which only
// the app that registered it knows, is enough.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { App } from '../../model/app.js';
import { deleteDeviceRow, deleteTopic, insertTopic, lockDevice } from './store.js';
import { isTopic } from './token-rules.js';

type Asked = { deviceId: string; uid: string | null };

export async function deleteDevice(deps: Pick<Deps, 'prisma'>, app: App, asked: Asked): Promise<void> {
  const ids = { appId: app.id, ...asked };
  if (!(await deleteDeviceRow(deps.prisma, ids))) throw new ApiError('push/device-not-found');
}

/** The device is locked, so that parallel calls cannot pass the limit together. */
export async function subscribe(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  asked: Asked,
  topic: string,
): Promise<void> {
  requireTopic(topic);
  const ids = { appId: app.id, ...asked };
  await deps.prisma.$transaction(async (tx) => {
    if (!(await lockDevice(tx, ids))) throw new ApiError('push/device-not-found');
    if (!(await insertTopic(tx, ids, topic, limits.pushTopicsPerDevice)))
      throw new ApiError('push/too-many-topics');
  });
}

export async function unsubscribe(
  deps: Pick<Deps, 'prisma'>,
  app: App,
  asked: Asked,
  topic: string,
): Promise<void> {
  requireTopic(topic);
  const ids = { appId: app.id, ...asked };
  await deps.prisma.$transaction(async (tx) => {
    if (!(await lockDevice(tx, ids))) throw new ApiError('push/device-not-found');
    await deleteTopic(tx, ids, topic);
  });
}

export function requireTopic(topic: string): void {
  if (!isTopic(topic)) throw new ApiError('push/invalid-topic');
}
