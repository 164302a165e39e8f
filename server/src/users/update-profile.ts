// PATCH /me: changes the fields that are given.
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type ProfileChange, updateProfileRow } from './store.js';
import type { UserRow } from './user.js';

export async function updateProfile(
  deps: Deps,
  ids: { appId: string; userId: string },
  change: ProfileChange,
): Promise<UserRow> {
  const now = deps.clock.now();
  const row = await updateProfileRow(deps.prisma, { ...ids, eventId: deps.random.ulid(now) }, change, now);
  // The account was deleted between the guard and here; its tokens are worth nothing any more.
  if (!row) throw new ApiError('auth/invalid-token');
  return row;
}
