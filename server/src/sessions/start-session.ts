// Starts a session once a credential is verified, and issues the first pair of tokens.
import { limits, type TokenAnswer } from '@foyer/contract';
import { type Prisma, queryIn } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { Client, SessionMethod } from '../model/session.js';
import type { UserRow } from '../model/user.js';
import { type DeviceOwner, newDeviceToken } from '../tokens/device-token.js';
import { tokenAnswer } from '../tokens/token-answer.js';
import type { VerifiedCredential } from '../users/update-fragments.js';
import { endOldestSessions } from './end-sessions.js';
import type { NewSession } from './new-session.js';
import { encodeRefreshToken, hashOfSecret, type RefreshToken } from './refresh-token.js';
import { deleteOldestEndedSessions, insertVerifiedSession } from './store.js';
/** What a successful sign-in answers: the body, and the token that makes the device known. */
export type SignedIn = { answer: TokenAnswer; deviceToken: string };

/** Authentication method references of each sign-in method (RFC 8176). */
export const amrOf: Record<SessionMethod, string[]> = {
  password: ['pwd'],
  email_code: ['otp'],
  provider_a: ['fed'],
  provider_b: ['fed'],
  v1_exchange: ['pwd'],
};

/**
 * The number of sessions from which the limit is checked. The count that comes with a new session misses sessions that were
 * started while it waited for the user row, so it is half the limit.
 */
const countedFrom = limits.liveSessionsPerUser / 2;

export type SessionDraft = { row: NewSession; token: RefreshToken; sentDeviceToken: string | null };

/** A session that is not inserted yet; see `insertSessionOf`. */
export function buildSession(
  deps: Deps,
  app: App,
  client: Client,
  method: SessionMethod,
  authTime?: Date,
): SessionDraft {
  const now = deps.clock.now();
  const token: RefreshToken = {
    keyId: deps.keyRing.currentKeyId,
    sessionId: deps.random.ulid(now),
    generation: 0,
    secret: deps.random.bytes(32),
  };
  const row: NewSession = {
    appId: app.id,
    id: token.sessionId,
    keyId: token.keyId,
    secretHash: hashOfSecret(token),
    method,
    amr: amrOf[method],
    authTime: authTime ?? now,
    device: client.device,
    ipAddress: client.ipAddress,
    now,
    eventId: deps.random.ulid(now),
    auditId: deps.random.ulid(now),
  };
  return { row, token, sentDeviceToken: client.deviceToken };
}

/** Null when the credential changed since it was verified: verify it again on the current user. */
export async function startSession(
  deps: Deps,
  app: App,
  draft: SessionDraft,
  credential: VerifiedCredential,
): Promise<SignedIn | null> {
  const started = await insertVerifiedSession(deps.query, draft.row, credential);
  if (!started) return null;
  if (started.otherSessions >= countedFrom) {
    await deps.prisma.$transaction((tx) =>
      endOldestSessions(tx, deps, { appId: app.id, uid: credential.uid }),
    );
  }
  if (started.manyRows) await deleteOldestEndedSessions(deps.prisma, { appId: app.id, uid: credential.uid });
  return signedIn(deps, app, draft, started, credential.credentialVersion);
}

/** The same within a larger transaction. */
export async function startSessionIn(
  tx: Prisma.TransactionClient,
  deps: Deps,
  app: App,
  draft: SessionDraft,
  credential: VerifiedCredential,
): Promise<SignedIn | null> {
  const started = await insertVerifiedSession(queryIn(tx), draft.row, credential);
  if (!started) return null;
  if (started.otherSessions >= countedFrom) {
    await endOldestSessions(tx, deps, { appId: app.id, uid: credential.uid });
  }
  if (started.manyRows) await deleteOldestEndedSessions(tx, { appId: app.id, uid: credential.uid });
  return signedIn(deps, app, draft, started, credential.credentialVersion);
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
  draft: SessionDraft,
  user: UserRow,
  credentialVersion: number,
): SignedIn {
  const { id: sessionId, authTime, amr } = draft.row;
  const refreshToken = encodeRefreshToken(deps.keyRing, app.id, draft.token);
  const owner: DeviceOwner = { uid: user.uid, credentialVersion };
  return {
    answer: tokenAnswer(deps, app, { sessionId, authTime, amr, user }, refreshToken),
    deviceToken: newDeviceToken(deps, app.id, owner, draft.sentDeviceToken),
  };
}
