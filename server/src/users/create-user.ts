// Makes an account, and mostly signs it in, in one statement. Used by every way in that can make an account.
import type { Query } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import type { Client, SessionMethod } from '../model/session.js';
import type { UserRow } from '../model/user.js';
import { buildSession, type SignedIn, signedIn } from '../sessions/start-session.js';
import { memberIdTries, newMemberId } from './member-id.js';
import { findAccountByEmail, insertUser, insertUserWithSession, type NewUser } from './store.js';

export type UserDraft = {
  email: string;
  emailVerified: boolean;
  emailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl?: string | null;
  passwordHash: string | null;
};

/** What the column begins with. */
const firstCredentialVersion = 0;

/** Null when the email has an account in this app, however close the race. `auth/operation-not-allowed` when closed. */
export async function createUserWithSession(
  query: Query,
  deps: Deps,
  app: App,
  client: Client,
  method: SessionMethod,
  user: UserDraft,
): Promise<SignedIn | null> {
  if (app.settings.sign_up === 'closed') throw new ApiError('auth/operation-not-allowed');
  return insertedOnce(query, deps, app, user, async (row) => {
    // Drawn after the ids of the user, so that its event comes after the user's own.
    const draft = buildSession(deps, app, client, method);
    const made = await insertUserWithSession(query, row, draft.row);
    return made && signedIn(deps, app, draft, made, firstCredentialVersion);
  });
}

/** Makes an account that is not signed in; null as above. Whether accounts may be made is the caller's to ask. */
export function createUserWithoutSession(
  query: Query,
  deps: Pick<Deps, 'clock' | 'random'>,
  app: App,
  user: UserDraft,
  audit: { ipAddress: string | null; details: object },
): Promise<(UserRow & { memberId: string }) | null> {
  return insertedOnce(query, deps, app, user, async (row) => {
    const made = await insertUser(query, row, { ...audit, id: deps.random.ulid(row.now) });
    return made && { ...made, memberId: row.memberId };
  });
}

async function insertedOnce<T>(
  query: Query,
  deps: Pick<Deps, 'clock' | 'random'>,
  app: App,
  user: UserDraft,
  insert: (row: NewUser) => Promise<T | null>,
): Promise<T | null> {
  const now = deps.clock.now();
  for (let tries = 0; tries < memberIdTries; tries += 1) {
    const ids = { appId: app.id, id: deps.random.ulid(now), eventId: deps.random.ulid(now) };
    const made = await insert({ ...user, ...ids, memberId: newMemberId(deps), now });
    if (made) return made;
    if (await findAccountByEmail(query, app.id, user.email)) return null;
    // Otherwise the random member id was taken: draw again.
  }
  throw new Error('no free member id was drawn');
}
