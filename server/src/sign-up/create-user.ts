// Creates an account, and usually signs it in, in one statement. Used by every sign-in method that can create accounts.
import type { Query } from '@foyer/prisma';
import { findAccountByEmail, firstCredentialVersion } from '../accounts/account.js';
import { secondStepOf } from '../accounts/second-step.js';
import type { NewUser } from '../accounts/write-user.js';
import type { Deps } from '../deps.js';
import type { Call } from '../model/call.js';
import type { UserRow } from '../model/user.js';
import { buildSession, type SessionClient, type SignIn } from '../sessions/new-session.js';
import { type FirstStep, signedInAnswer } from '../sessions/start-session.js';
import { insertUserWithEntry, insertUserWithSession } from './store.js';

export type UserDraft = Omit<NewUser, 'uid' | 'eventId' | 'memberId' | 'createdAt' | 'updatedAt'>;

/** How often a random member id is drawn again when it is taken. */
export const memberIdTries = 5;

/** Ten random digits, the first not a zero; unbiased enough, since 2^48 is far above 9 × 10^9. */
export function newMemberId(deps: Pick<Deps, 'random'>): string {
  return String(1_000_000_000 + (deps.random.bytes(6).readUIntBE(0, 6) % 9_000_000_000));
}

/**
 * Creates a user and a session, or only the user where the app requires a second factor. Returns null when the email has an
 * account in this app, however close the race. The caller checks whether sign-up is open (count-sign-up.ts), or has an
 * invitation, which allows the account either way.
 */
export function createUserWithSession(
  query: Query,
  deps: Deps,
  call: SessionClient,
  { user, ...signIn }: SignIn & { user: UserDraft },
): Promise<FirstStep | null> {
  const { app, ip } = call;
  const step = { credentialVersion: firstCredentialVersion, signIn };
  const waits = secondStepOf(app) === 'everybody';
  return insertWithMemberId(query, deps, { appId: app.id, user }, async (row) => {
    const { uid } = row;
    if (waits) {
      const entry = { ip, details: { method: signIn.method }, id: deps.random.ulid(row.createdAt) };
      const inserted = await insertUserWithEntry(query, app.id, row, entry);
      return inserted && { ...step, uid, signedIn: null, isEnrolled: false };
    }
    // Drawn after the ids of the user, so that its event comes after the user's own.
    const session = buildSession(deps, call, { ...signIn, uid });
    const inserted = await insertUserWithSession(query, row, session);
    if (!inserted) return null;
    const { credentialVersion } = step;
    return { ...step, uid, signedIn: signedInAnswer(deps, app, session, { ...inserted, credentialVersion }) };
  });
}

/** Creates a user without a session; returns null like `createUserWithSession`. */
export function createUserWithoutSession(
  query: Query,
  deps: Pick<Deps, 'clock' | 'random'>,
  { app, ip }: Pick<Call, 'app' | 'ip'>,
  { user, details }: { user: UserDraft; details: object },
): Promise<(UserRow & { memberId: string }) | null> {
  return insertWithMemberId(query, deps, { appId: app.id, user }, async (row) => {
    const entry = { ip, details, id: deps.random.ulid(row.createdAt) };
    const inserted = await insertUserWithEntry(query, app.id, row, entry);
    return inserted && { ...inserted, memberId: row.memberId };
  });
}

async function insertWithMemberId<T>(
  query: Query,
  deps: Pick<Deps, 'clock' | 'random'>,
  { appId, user }: { appId: string; user: UserDraft },
  insert: (row: NewUser) => Promise<T | null>,
): Promise<T | null> {
  const now = deps.clock.now();
  for (let tries = 0; tries < memberIdTries; tries += 1) {
    const ids = { uid: deps.random.ulid(now), eventId: deps.random.ulid(now), memberId: newMemberId(deps) };
    const inserted = await insert({ ...user, ...ids, createdAt: now, updatedAt: now });
    if (inserted) return inserted;
    if (await findAccountByEmail(query, appId, user.email)) return null;
    // Otherwise the random member id was taken: draw again.
  }
  throw new Error('no free member id was drawn');
}
