// Starts a session once a credential is verified, and issues the first pair of tokens. Every way in ends here. A user who needs
// a second factor gets no session: the same statement that would insert it finds that out, on the user's row that it locks.
import { limits, type TokenAnswer } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import { secondStepOf } from '../accounts/second-step.js';
import type { VerifiedCredential } from '../accounts/update-fragments.js';
import { transaction, turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';
import type { UserRow } from '../model/user.js';
import { newDeviceToken } from '../tokens/device-token.js';
import { tokenAnswer } from '../tokens/token-answer.js';
import { endOldestSessions } from './end-sessions.js';
import { needsNotice, noticeNewDevice } from './new-device-notice.js';
import { buildSession, type NewSession, type SessionClient, type SignIn } from './new-session.js';
import { encodeRefreshToken } from './refresh-token.js';
import { deleteOldestEndedSessions, insertVerifiedSession, type SpendProof } from './store.js';

/** The answer of a successful sign-in: the body, and the token that makes the device known. */
export type SignedIn = { answer: TokenAnswer; deviceToken: string };

/**
 * A sign-in whose first step is verified, and the session that it started, or what a second step needs to start it. Only
 * `finishSignIn` of second-factor/ makes an answer of it, so that no way in can forget the second step.
 */
export type FirstStep = { uid: string; credentialVersion: number; signIn: SignIn } & (
  | { signedIn: SignedIn }
  | { signedIn: null; isEnrolled: boolean }
);

/**
 * The limit of sessions is checked from this number on, half of the limit: the count that comes with a new session misses the
 * sessions that were started while it waited for the user's row.
 */
const countedFrom = limits.liveSessionsPerUser / 2;

type Start = SignIn & {
  credential: VerifiedCredential;
  spend?: SpendProof;
  /** The caller has taken a turn of the user. */
  hasTurn?: boolean;
};

/**
 * Starts a session in one statement, or as part of the larger transaction `tx`. Returns null when the credential changed since
 * it was verified: the caller then verifies it again on the current user. A method that is multi-factor by itself puts `mfa`
 * into `amr`.
 */
export async function startSession(
  deps: Deps,
  call: SessionClient,
  { credential, spend, hasTurn = false, ...signIn }: Start,
  tx?: Tx,
): Promise<FirstStep | null> {
  const { uid, credentialVersion } = credential;
  const inTurn = <T>(work: (own: Tx) => Promise<T>) =>
    hasTurn ? transaction(deps, work) : deps.turns.write(call, () => transaction(deps, work), turnOf(uid));
  const noticed = needsNotice(deps, call, { ...credential, method: signIn.method });
  // The notice is queued with the session or not at all.
  if (noticed && !tx) {
    const start = { credential, ...(spend && { spend }), ...signIn };
    return inTurn((own) => startSession(deps, call, start, own));
  }
  const ids = { appId: call.app.id, uid };
  const session = buildSession(deps, call, { ...signIn, uid });
  const query = tx ? queryIn(tx) : deps.query;
  const isDone = signIn.secondFactor !== undefined || signIn.amr?.includes('mfa') === true;
  const start = { credential, spend, secondStepOf: secondStepOf(call.app, { isDone }) };
  const started = await insertVerifiedSession(query, session, start);
  if (!started) return null;
  const step = { uid, credentialVersion, signIn };
  if (started.needsSecondStep) return { ...step, signedIn: null, isEnrolled: started.isEnrolled };
  if (started.otherSessions >= countedFrom) {
    const newest = { ...ids, sessionId: session.token.sessionId };
    if (tx) await endOldestSessions(tx, deps, newest);
    else await inTurn((own) => endOldestSessions(own, deps, newest));
  }
  if (noticed && tx)
    await noticeNewDevice(tx, deps, call, { ...started, ...ids, sessionId: session.token.sessionId });
  if (started.manyRows) await deleteOldestEndedSessions(tx ?? deps.prisma, ids);
  return { ...step, signedIn: signedInAnswer(deps, call.app, session, { ...started, credentialVersion }) };
}

export function signedInAnswer(
  deps: Deps,
  app: App,
  { token, authTime, amr, deviceToken }: NewSession,
  user: UserRow & { credentialVersion: number },
): SignedIn {
  const refreshToken = encodeRefreshToken(deps.keyRing, app.id, token);
  return {
    answer: tokenAnswer(deps, app, { ...user, sessionId: token.sessionId, authTime, amr }, refreshToken),
    deviceToken: newDeviceToken(deps, app.id, user, deviceToken),
  };
}
