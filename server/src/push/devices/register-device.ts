// POST /push/devices: the token becomes the caller's device, or nobody's where nobody is signed in. That is the only way
// in which a device stops receiving a user's messages; signing out does not touch it (specification, "Authentication" 8).
import { createECDH } from 'node:crypto';
import { type DeviceInput, limits, type PushDevice } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { OutboundRefusal } from '../../lib/http/outbound.js';
import type { App } from '../../model/app.js';
import { lockUserOfCall } from '../../sessions/find-session.js';
import { newDeviceId, serializeDevice } from './device.js';
import { encryptToken, hashOfToken, type PushToken } from './kept-tokens.js';
import { unlinkOldestDevices, upsertDevice } from './store.js';
import { judgeToken } from './token-rules.js';

export { deleteIdleDevices, deleteInvalidDevices } from './store.js';

export async function registerDevice(
  deps: Deps,
  app: App,
  user: { uid: string; sessionId: string } | null,
  input: DeviceInput,
): Promise<{ device: PushDevice; created: boolean }> {
  const token = await requireToken(deps, input);
  const now = deps.clock.now();
  const key = { appId: app.id, provider: input.provider, tokenHash: hashOfToken(token.token) };
  const row = {
    ...key,
    id: newDeviceId(deps.random, now),
    encrypted: encryptToken(deps.keyRing, key, token),
    platform: input.platform,
    environment: input.environment,
    appVersion: input.app_version ?? null,
    locale: input.locale ?? null,
    name: input.name ?? null,
    uid: user?.uid ?? null,
    now,
  };
  return deps.prisma.$transaction(async (tx) => {
    // The user's row first, as everywhere: a link must not outlive the session that asked for it.
    if (user) await lockUserOfCall(tx, { appId: app.id, ...user });
    const { created, ...device } = await upsertDevice(tx, row);
    if (user) await unlinkOldestDevices(tx, { appId: app.id, ...user }, limits.pushDevicesPerUser);
    return { device: serializeDevice(device), created };
  });
}

/** `push/invalid-token`, with the field, for what no provider could have given out. */
async function requireToken(deps: Pick<Deps, 'outbound'>, input: DeviceInput): Promise<PushToken> {
  const verdict = judgeToken(input);
  if ('wrong' in verdict) throw invalidToken(verdict.wrong, verdict.because);
  if (verdict.keys) {
    if (!isOnCurve(verdict.keys.p256dh)) throw invalidToken('keys.p256dh', 'must be a point of P-256');
    try {
      await deps.outbound.requireAllowed(verdict.token);
    } catch (error) {
      if (!(error instanceof OutboundRefusal)) throw error;
      throw invalidToken('token', error.message);
    }
  }
  return verdict;
}

function isOnCurve(point: Buffer): boolean {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.alloc(32, 1));
  try {
    ecdh.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

function invalidToken(field: string, because: string): ApiError {
  return new ApiError('push/invalid-token', { fields: { [field]: [because] } });
}
