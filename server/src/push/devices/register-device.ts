// Registers and deletes devices. Registering links the token to the signed-in user, or to no user without a session. Only
// that ends the messages of the previous user; signing out does not (specification, "Authentication" 8).
import { createECDH } from 'node:crypto';
import { type DeviceInput, limits, type PushDevice } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { ForbiddenUrlError } from '../../lib/http/ssrf-safe-fetch.js';
import type { App } from '../../model/app.js';
import { lockUserOfCall } from '../../sessions/find-session.js';
import { newDeviceId, serializeDevice } from './device.js';
import { encryptToken, hashToken, type PushToken } from './encrypted-tokens.js';
import { type AccessIds, deleteDeviceRow, isKnownToken, unlinkOldestDevices, upsertDevice } from './store.js';
import { checkToken } from './token-rules.js';

/** When an email is verified: links from before may be those of a squatter who registered it. */
export { deleteIdleDevices, deleteInvalidDevices, unlinkDevices } from './store.js';

export async function registerDevice(
  deps: Deps,
  app: App,
  caller: { user: { uid: string; sessionId: string } | null; ipAddress: string | null },
  input: DeviceInput,
): Promise<{ device: PushDevice; created: boolean }> {
  const { user, ipAddress } = caller;
  const token = await requireToken(deps, input);
  const now = deps.clock.now();
  const key = { appId: app.id, provider: input.provider, tokenHash: hashToken(token.token) };
  // Devices are stored for months, so attackers could fill the table with made-up tokens.
  if (!(await isKnownToken(deps.prisma, key)))
    await deps.limiter.consume('new-device', app, user?.uid ?? { ipAddress });
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
    // Locks the user first, as everywhere: a link must not be created after its session has ended.
    if (user) await lockUserOfCall(tx, { appId: app.id, ...user });
    const { created, ...device } = await upsertDevice(tx, row);
    if (user) await unlinkOldestDevices(tx, { appId: app.id, ...user }, limits.pushDevicesPerUser);
    return { device: serializeDevice(device), created };
  });
}

export async function deleteDevice(deps: Pick<Deps, 'prisma'>, ids: AccessIds): Promise<void> {
  if (!(await deleteDeviceRow(deps.prisma, ids))) throw new ApiError('push/device-not-found');
}

/** Throws `push/invalid-token` with the field for a token that no provider can have issued. */
async function requireToken(deps: Pick<Deps, 'ssrfSafeFetch'>, input: DeviceInput): Promise<PushToken> {
  const verdict = checkToken(input);
  if ('field' in verdict) throw invalidToken(verdict.field, verdict.reason);
  if (verdict.keys) {
    if (!isOnCurve(verdict.keys.p256dh)) throw invalidToken('keys.p256dh', 'must be a point of P-256');
    try {
      await deps.ssrfSafeFetch.requireAllowed(verdict.token);
    } catch (error) {
      if (!(error instanceof ForbiddenUrlError)) throw error;
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

function invalidToken(field: string, reason: string): ApiError {
  return new ApiError('push/invalid-token', { fields: { [field]: [reason] } });
}
