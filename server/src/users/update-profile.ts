// PATCH /me: changes the fields that are given.
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { UserRow } from '../model/user.js';
import { type ProfileChange, updateProfileRow } from './store.js';

export async function updateProfile(
  deps: Deps,
  ids: { appId: string; uid: string; sessionId: string },
  change: ProfileChange,
): Promise<UserRow> {
  const now = deps.clock.now();
  const row = await updateProfileRow(deps.prisma, { ...ids, eventId: deps.random.ulid(now) }, change, now);
  // The session ended between the guard and here, where a client may take half a minute over its body.
  if (!row) throw new ApiError('auth/invalid-token');
  return row;
}
