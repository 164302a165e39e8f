// Starts a session once a credential is verified, and issues the first pair of tokens.
import { limits, type TokenAnswer } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { SessionMethod } from '../model/session.js';
import type { UserRow } from '../model/user.js';
import { newDeviceToken } from '../tokens/device-token.js';
import { tokenAnswer } from '../tokens/token-answer.js';
import type { VerifiedCredential } from '../users/update-fragments.js';
import { endOldestSessions } from './end-sessions.js';
import type { NewSession } from './new-session.js';
import { encodeRefreshToken } from './refresh-token.js';
import { deleteOldestEndedSessions, insertVerifiedSession } from './store.js';

/** What a successful sign-in answers: the body, and the token that makes the device known. */
export type SignedIn = { answer: TokenAnswer; deviceToken: string };

/**
 * The number of sessions from which the limit is checked. The count that comes with a new session misses sessions that were
 * started while it waited for the user row, so it is half the limit.
 */
const countedFrom = limits.liveSessionsPerUser / 2;

/**
 * Null when the credential changed since it was verified: verify it again on the current user. One statement, or part of the
 * larger transaction `tx`.
 */
export async function startSession(
  deps: Deps,
  app: App,
  session: NewSession,
  credential: VerifiedCredential,
  tx?: Tx,
): Promise<SignedIn | null> {
  const ids = { appId: app.id, uid: credential.uid };
  const started = await insertVerifiedSession(tx ? queryIn(tx) : deps.query, session, credential);
  if (!started) return null;
  if (started.otherSessions >= countedFrom) {
    const newest = { ...ids, sessionId: session.token.sessionId };
    if (tx) await endOldestSessions(tx, deps, newest);
    else await deps.prisma.$transaction((own) => endOldestSessions(own, deps, newest));
  }
  if (started.manyRows) await deleteOldestEndedSessions(tx ?? deps.prisma, ids);
  return signedIn(deps, app, session, started, credential.credentialVersion);
}

/** Counts a session in the statistics, once the transaction that started it has committed. */
export function countSignIn<Started extends SignedIn>(
  deps: Pick<Deps, 'dailyCounters'>,
  app: App,
  method: SessionMethod,
  started: Started,
): Started {
  deps.dailyCounters.count(app.id, `sign_ins.${method}`);
  deps.dailyCounters.recordActivity(app.id, started.answer.user.uid, 'v2');
  return started;
}

export function signedIn(
  deps: Deps,
  app: App,
  { token, authTime, amr, deviceToken }: NewSession,
  user: UserRow,
  credentialVersion: number,
): SignedIn {
  const refreshToken = encodeRefreshToken(deps.keyRing, app.id, token);
  const owner = { uid: user.uid, credentialVersion };
  return {
    answer: tokenAnswer(deps, app, { ...user, sessionId: token.sessionId, authTime, amr }, refreshToken),
    deviceToken: newDeviceToken(deps, app.id, owner, deviceToken),
  };
}
