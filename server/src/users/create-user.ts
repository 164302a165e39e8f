// Makes an account and signs it in, in one statement. Used by every way in that can make an account.
import type { Query } from '@foyer/prisma';
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { SessionMethod } from '../sessions/new-session.js';
import { type Client, draftSession, firstTokenAnswer } from '../sessions/start-session.js';
import type { TokenAnswer } from '../tokens/token-answer.js';
import { findAccountByEmail, insertUserWithSession } from './store.js';

export type UserDraft = {
  email: string;
  emailVerified: boolean;
  emailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  photoUrl?: string | null;
  passwordHash: string | null;
};

const memberIdTries = 5;

/** Null when the email has an account in this app, however close the race. `auth/operation-not-allowed` when closed. */
export async function createUserWithSession(
  query: Query,
  deps: Deps,
  app: App,
  client: Client,
  method: SessionMethod,
  user: UserDraft,
): Promise<TokenAnswer | null> {
  if (app.settings.sign_up === 'closed') throw new ApiError('auth/operation-not-allowed');
  const now = deps.clock.now();
  for (let tries = 0; tries < memberIdTries; tries += 1) {
    const ids = { appId: app.id, id: deps.random.ulid(now), eventId: deps.random.ulid(now) };
    const row = { ...user, ...ids, memberId: newMemberId(deps), now };
    // Drawn after the ids of the user, so that its event comes after the user's own.
    const draft = draftSession(deps, app, client, method);
    const made = await insertUserWithSession(query, row, draft.row);
    if (made) return firstTokenAnswer(deps, app, draft, made);
    if (await findAccountByEmail(query, app.id, user.email)) return null;
    // Otherwise the random member id was taken: draw again.
  }
  throw new Error('no free member id was drawn');
}

/** Ten random digits, the first not a zero; drawn evenly, since 2^48 is a great many times 9 × 10^9. */
function newMemberId(deps: Pick<Deps, 'random'>): string {
  return String(1_000_000_000 + (deps.random.bytes(6).readUIntBE(0, 6) % 9_000_000_000));
}
