// Serialization of a device, without its token.
import type { PushDevice } from '@foyer/contract';
import type { Random } from '../../lib/crypto/random.js';
import { ulidText } from '../../lib/crypto/ulid-bytes.js';
import { toWire } from '../../model/wire.js';
import { type DeviceRow, shownOfDevice } from './columns.js';

export function serializeDevice(device: DeviceRow): PushDevice {
  return {
    ...toWire(device, shownOfDevice),
    topics: device.topics,
    user_uid: device.uid,
    status: device.invalidAt === null ? 'active' : 'invalid',
  };
}

/** A ULID with 80 random bits, not monotonic: the id is the only credential for a device that is not linked to a user. */
export function newDeviceId(random: Random, now: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  random.bytes(10).copy(bytes, 6);
  return ulidText(bytes);
}
