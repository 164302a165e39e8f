// The devices of a user, newest first, for the user and for the app's backend.
import { type PushDevice, Ulid } from '@foyer/contract';
import type { UserIds } from '../../accounts/account.js';
import type { Deps } from '../../deps.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { serializeDevice } from './device.js';
import { listDeviceRows } from './store.js';

export async function listDevices(
  deps: Pick<Deps, 'prisma'>,
  ids: UserIds,
  page: PageInput,
): Promise<Page<PushDevice>> {
  const before = page.cursor === undefined ? null : decodeCursor(page.cursor, Ulid)[0];
  const rows = await listDeviceRows(deps.prisma, ids, before, page.limit + 1);
  return pageOf(rows, page.limit, ({ id }) => [id], serializeDevice);
}
