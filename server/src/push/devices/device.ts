// Serialization of a device, without its token.
import type { PushDevice } from '@foyer/contract';
import type { Random } from '../../lib/crypto/random.js';
import { ulidText } from '../../lib/crypto/ulid-bytes.js';
import { timestamp } from '../../lib/timestamp.js';
import type { DeviceRow } from './store.js';

export function serializeDevice(device: DeviceRow): PushDevice {
  return {
    id: device.id,
    provider: device.provider,
    platform: device.platform,
    environment: device.environment,
    app_version: device.appVersion,
    locale: device.locale,
    name: device.name,
    topics: device.topics,
    user_uid: device.uid,
    status: device.invalidAt === null ? 'active' : 'invalid',
    created_at: timestamp(device.createdAt),
    last_registered_at: timestamp(device.lastRegisteredAt),
  };
}

/** A ULID with 80 random bits, not monotonic: the id is the only credential for a device that is not linked to a user. */
export function newDeviceId(random: Random, now: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  random.bytes(10).copy(bytes, 6);
  return ulidText(bytes);
}
