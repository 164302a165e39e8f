// A part of the daily job: devices whose token was found to be no more, and those that nobody registered for long.
import { limits } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { before, dayMilliseconds } from '../../lib/timestamp.js';
import { deleteDevicesBefore } from './store.js';

const batchRows = 5_000;

export async function purgeOldDevices(deps: Pick<Deps, 'prisma' | 'clock'>): Promise<void> {
  const now = deps.clock.now();
  const times = {
    invalid: before(now, limits.pushInvalidDeviceDays * dayMilliseconds),
    registered: before(now, limits.pushDeviceIdleDays * dayMilliseconds),
  };
  while ((await deleteDevicesBefore(deps.prisma, times, batchRows)) === batchRows);
}
