// Registers and deletes devices. Registering links the token to the signed-in user, or to no user without a session. Only that
// ends the messages of the previous user, to topics too; signing out does not.
import { createECDH } from 'node:crypto';
import { type DeviceInput, limits, type PushDevice } from '@foyer/contract';
import { type RateLimitState, rateLimited } from '../../../engines/limiter/index.js';
import { ForbiddenUrlError } from '../../../engines/safe-fetch/index.js';
import { changeInTurn } from '../../change.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { type Call, sessionIdsOf } from '../../model/call.js';
import { lockUserOfCall } from '../../sessions/find-session.js';
import { newDeviceId, serializeDevice } from './device.js';
import { encryptToken, hashToken, type PushToken } from './encrypted-tokens.js';
import {
  type AccessIds,
  deleteDeviceRow,
  deleteTopicsOfUser,
  isKnownToken,
  lockUserOfToken,
  renameToken,
  unlinkOldestDevices,
  upsertDevice,
} from './store.js';
import { checkToken } from './token-rules.js';

export async function registerDevice(
  deps: Deps,
  call: Call,
  input: DeviceInput,
): Promise<{ device: PushDevice; created: boolean }> {
  const { app, uid, session } = call;
  const user = session && sessionIdsOf({ app, session });
  const token = await requireToken(deps, input);
  const now = deps.clock.now();
  const key = { appId: app.id, provider: input.provider, tokenHash: hashToken(token.token) };
  // The former hash is that of an endpoint in another spelling, which an earlier release may have stored.
  const formerHash = token.keys && token.token !== input.token ? hashToken(input.token) : null;
  const isKnown =
    (await isKnownToken(deps.prisma, key)) ||
    (formerHash !== null && (await isKnownToken(deps.prisma, { ...key, tokenHash: formerHash })));
  if (!isKnown) await countNewDevice(deps, call, token);
  const row = {
    ...key,
    id: newDeviceId(deps.random, now),
    encrypted: encryptToken(deps.keyRing, key, token),
    platform: input.platform,
    environment: input.environment,
    appVersion: input.app_version ?? null,
    locale: input.locale ?? null,
    name: input.name ?? null,
    uid,
    now,
  };
  // The turn is taken after the name of an endpoint's host was looked up.
  return changeInTurn(deps, call, async (tx) => {
    // Locks the user first, as everywhere: a link must not be created after its session has ended.
    if (user) await lockUserOfCall(tx, user);
    if (formerHash) await renameToken(tx, key, formerHash);
    const former = await lockUserOfToken(tx, key);
    if (former?.uid && former.uid !== row.uid) await deleteTopicsOfUser(tx, app.id, former.id);
    const { created, ...device } = await upsertDevice(tx, row);
    if (user) await unlinkOldestDevices(tx, user, limits.pushDevicesPerUser);
    return { device: serializeDevice(device), created };
  });
}

/**
 * Devices are stored for months, so attackers could fill the table with made-up tokens. Those without a user count by their size
 * too, for each network and day; beyond the total of the app, networks that have registered few are still served.
 */
async function countNewDevice(
  { limiter }: Pick<Deps, 'limiter'>,
  { app, uid, ip }: Call,
  { token }: PushToken,
): Promise<void> {
  await limiter.consume('new-device', app, uid ?? { ip });
  if (uid !== null) return;
  let ofNetwork: RateLimitState | null = null;
  for (let bytes = Buffer.byteLength(token); bytes > 0; bytes -= limits.pushTokenUnitBytes) {
    ofNetwork = await limiter.consume('new-device-day', app, { ip });
  }
  const total = await limiter.tryConsume('new-devices-app', app, 'all');
  if (!total || !ofNetwork || total.remaining >= 0) return;
  if (ofNetwork.rule.limit - ofNetwork.remaining > limits.pushDevicesBeyondTotal) throw rateLimited(total);
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
