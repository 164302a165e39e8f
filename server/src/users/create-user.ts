// Creates an account, and usually signs it in, in one statement. Used by every sign-in method that can create accounts.
import type { Query } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { Client, SessionMethod } from '../model/session.js';
import type { UserRow } from '../model/user.js';
import { buildSession } from '../sessions/new-session.js';
import { type SignedIn, signedIn } from '../sessions/start-session.js';
import { findAccountByEmail } from './account.js';
import { insertUserWithEntry, insertUserWithSession } from './store.js';
import type { NewUser } from './write-user.js';

export type UserDraft = Omit<NewUser, 'id' | 'eventId' | 'memberId' | 'createdAt' | 'updatedAt'>;

/** The default of the column. */
const firstCredentialVersion = 0;

/** How often a random member id is drawn again when it is taken. */
export const memberIdTries = 5;

/** Ten random digits, the first not a zero; unbiased enough, since 2^48 is far above 9 × 10^9. */
export function newMemberId(deps: Pick<Deps, 'random'>): string {
  return String(1_000_000_000 + (deps.random.bytes(6).readUIntBE(0, 6) % 9_000_000_000));
}

/**
 * Null when the email has an account in this app, however close the race. The caller checks whether sign-up is open
 * (count-sign-up.ts), or has an invitation, which allows the account either way.
 */
export function createUserWithSession(
  query: Query,
  deps: Deps,
  app: App,
  client: Client,
  method: SessionMethod,
  user: UserDraft,
): Promise<SignedIn | null> {
  return insertWithMemberId(query, deps, app, user, async (row) => {
    // Drawn after the ids of the user, so that its event comes after the user's own.
    const session = buildSession(deps, app, client, row.id, method);
    const inserted = await insertUserWithSession(query, row, session);
    return inserted && signedIn(deps, app, session, inserted, firstCredentialVersion);
  });
}

/** The same without signing in. */
export function createUserWithoutSession(
  query: Query,
  deps: Pick<Deps, 'clock' | 'random'>,
  app: App,
  user: UserDraft,
  audit: { ipAddress: string | null; details: object },
): Promise<(UserRow & { memberId: string }) | null> {
  return insertWithMemberId(query, deps, app, user, async (row) => {
    const entry = { ...audit, id: deps.random.ulid(row.createdAt) };
    const inserted = await insertUserWithEntry(query, app.id, row, entry);
    return inserted && { ...inserted, memberId: row.memberId };
  });
}

async function insertWithMemberId<T>(
  query: Query,
  deps: Pick<Deps, 'clock' | 'random'>,
  app: App,
  user: UserDraft,
  insert: (row: NewUser) => Promise<T | null>,
): Promise<T | null> {
  const now = deps.clock.now();
  for (let tries = 0; tries < memberIdTries; tries += 1) {
    const ids = { id: deps.random.ulid(now), eventId: deps.random.ulid(now), memberId: newMemberId(deps) };
    const inserted = await insert({ ...user, ...ids, createdAt: now, updatedAt: now });
    if (inserted) return inserted;
    if (await findAccountByEmail(query, app.id, user.email)) return null;
    // Otherwise the random member id was taken: draw again.
  }
  throw new Error('no free member id was drawn');
}
