// PATCH /me: changes the profile of the caller's account.
import { queryIn } from '@foyer/prisma';
import { findUser } from '../accounts/account.js';
import { type UserChange, updateUserWithEvent } from '../accounts/write-user.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { sessionIdsOf, type UserCall } from '../model/call.js';
import { type ProfileName, profileNames, type UserRow } from '../model/user.js';
import { lockUserOfCall } from '../sessions/find-session.js';

/**
 * Values that the user has already write nothing, so that repeated calls do not fill the events.
 * `auth/invalid-token` when the session has ended, since a client may take half a minute to send its body. The user's row is
 * locked first: a condition of the UPDATE would be checked on the data from before it waited for the end of all sessions.
 */
export async function updateProfile(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'limiter'>,
  call: UserCall,
  profile: Profile,
): Promise<UserRow> {
  const { app, session } = call;
  const ids = sessionIdsOf(call);
  // Each change is an event that is delivered and stored, so attackers could fill the outbox by alternating values.
  if (isDifferent(session, profile)) await deps.limiter.consume('profile-change', app, ids.uid);
  const now = deps.clock.now();
  const update = { now, onlyDifferent: true, eventId: deps.random.ulid(now) };
  return change(deps, call, async (tx) => {
    await lockUserOfCall(tx, ids);
    const updated = await updateUserWithEvent(tx, ids, profile, update);
    return updated ?? findUser(queryIn(tx), ids);
  });
}

type Profile = Pick<UserChange, ProfileName>;

function isDifferent(user: Pick<UserRow, ProfileName>, change: Profile): boolean {
  return profileNames.some((name) => change[name] !== undefined && change[name] !== user[name]);
}
