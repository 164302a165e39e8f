// The devices of a user, newest first, for the user and for the app's backend.
import { type PushDevice, Ulid } from '@foyer/contract';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../../lib/page.js';
import { serializeDevice } from './device.js';
import { isUser, listDeviceRows } from './store.js';

/** Throws `auth/user-not-found` if the app has no such user. */
export async function listDevicesOfUser(
  deps: Pick<Deps, 'prisma'>,
  ids: { appId: string; uid: string },
  page: PageInput,
): Promise<Page<PushDevice>> {
  if (!(await isUser(deps.prisma, ids))) throw new ApiError('auth/user-not-found');
  return listDevices(deps, ids, page);
}

export async function listDevices(
  deps: Pick<Deps, 'prisma'>,
  ids: { appId: string; uid: string },
  page: PageInput,
): Promise<Page<PushDevice>> {
  const before = page.cursor === undefined ? null : decodeCursor(page.cursor, Ulid)[0];
  const rows = await listDeviceRows(deps.prisma, ids, before, page.limit + 1);
  return pageOf(rows, page.limit, ({ id }) => [id], serializeDevice);
}
