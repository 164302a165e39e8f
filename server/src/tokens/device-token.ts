// `X-Device-Token`: proves an earlier sign-in to the account on this device, so that failed attempts of others who know the
// email do not count against it. Nothing is stored: the tag covers app, user, credential version, device id and day, and a
// raised credential version invalidates all tokens.
import { limits } from '@foyer/contract';
import type { KeyRing } from '../../engines/keys/index.js';
import type { Deps } from '../deps.js';
import { equalInConstantTime, hmacSha256 } from '../lib/crypto/digest.js';
import { dayMilliseconds } from '../lib/timestamp.js';

/** The part of an account that a device token is bound to. */
export type DeviceOwner = { uid: string; credentialVersion: number };

/** The key that failed attempts on a known device are counted by. */
type KnownDevice = { uid: string; deviceId: string };

const prefix = 'dt_';
const version = 1;
const dayAt = 2;
const deviceAt = 4;
const deviceBytes = 16;
const tagAt = deviceAt + deviceBytes;
const tagBytes = 16;
const tokenBytes = tagAt + tagBytes;
/** Checked if the account does not exist, for equal work. */
const nobody: DeviceOwner = { uid: '0'.repeat(26), credentialVersion: -1 };

type TokenDeps = Pick<Deps, 'keyRing' | 'clock'>;

/** Issues a token for today. A known device retains its id, and with it the failures counted by it. */
export function newDeviceToken(
  deps: TokenDeps & Pick<Deps, 'random'>,
  appId: string,
  owner: DeviceOwner,
  sent: string | null,
): string {
  const known = knownDevice(deps, appId, owner, sent);
  const bytes = Buffer.alloc(tokenBytes);
  bytes[0] = version;
  bytes[1] = deps.keyRing.currentKeyId;
  bytes.writeUInt16BE(today(deps), dayAt);
  const device = known ? Buffer.from(known.deviceId, 'base64url') : deps.random.bytes(deviceBytes);
  device.copy(bytes, deviceAt);
  tagOf(deps.keyRing, appId, owner, bytes).copy(bytes, tagAt);
  return prefix + bytes.toString('base64url');
}

/** Returns null for a token that is missing, modified, too old, or of another account. */
export function knownDevice(
  deps: TokenDeps,
  appId: string,
  owner: DeviceOwner | null,
  sent: string | null,
): KnownDevice | null {
  const bytes = sent === null ? null : parse(deps.keyRing, sent);
  if (bytes === null) return null;
  const { uid, credentialVersion } = owner ?? nobody;
  const tag = tagOf(deps.keyRing, appId, { uid, credentialVersion }, bytes);
  if (!equalInConstantTime(tag, bytes.subarray(tagAt)) || owner === null) return null;
  const age = today(deps) - bytes.readUInt16BE(dayAt);
  if (age < 0 || age > limits.deviceTokenDays) return null;
  return { uid, deviceId: bytes.subarray(deviceAt, tagAt).toString('base64url') };
}

function parse(keyRing: KeyRing, text: string): Buffer | null {
  if (!text.startsWith(prefix)) return null;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  // Encoding again rejects what decoding tolerates: foreign characters, padding, spare bits.
  if (bytes.length !== tokenBytes || prefix + bytes.toString('base64url') !== text) return null;
  return bytes[0] === version && keyRing.has(bytes[1] as number) ? bytes : null;
}

function tagOf(keyRing: KeyRing, appId: string, owner: DeviceOwner, bytes: Buffer): Buffer {
  const key = keyRing.derive(bytes[1] as number, 'device token');
  const whose = JSON.stringify([appId, owner.uid, owner.credentialVersion]);
  return hmacSha256(key, Buffer.concat([Buffer.from(whose), bytes.subarray(0, tagAt)])).subarray(0, tagBytes);
}

function today(deps: Pick<Deps, 'clock'>): number {
  return Math.floor(deps.clock.now().getTime() / dayMilliseconds);
}
