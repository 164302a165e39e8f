// The notice of a sign-in from a device that is not known to the account, for apps with the setting `new_device_notice`.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { queueMail } from '../mail/queue-mail.js';
import type { SessionIds, SessionMethod } from '../model/session.js';
import { type DeviceOwner, knownDevice } from '../tokens/device-token.js';
import type { SessionClient } from './new-session.js';
import { hasEarlierSession } from './store.js';

/** A device that exchanges its token of v1 was signed in before. */
export function needsNotice(
  deps: Pick<Deps, 'keyRing' | 'clock'>,
  { app, deviceToken }: Pick<SessionClient, 'app' | 'deviceToken'>,
  { method, ...owner }: DeviceOwner & { method: SessionMethod },
): boolean {
  if (!app.settings.new_device_notice || method === 'v1_exchange') return false;
  return knownDevice(deps, app.id, owner, deviceToken) === null;
}

/** Queues the notice in the transaction that started the session, unless that is the first one of the account. */
export async function noticeNewDevice(
  tx: Tx,
  deps: Deps,
  { app, readDevice, ip, language }: SessionClient,
  session: SessionIds & { email: string },
): Promise<void> {
  if (!(await hasEarlierSession(tx, session))) return;
  const device = readDevice();
  const words = [device.name, device.browser, device.os, ip].filter((word) => word !== null).join(', ');
  await queueMail(tx, deps, app, { kind: 'new_device', to: session.email, device: words, language });
}
