// Ends one session, or all of them and with them the v1 tokens. Sessions end by updates of the rows that a refresh updates,
// so each refresh comes wholly before or wholly after.
import type { Tx } from '@foyer/prisma';
import { lockUser, type UserIds } from '../accounts/account.js';
import { raiseCredentialVersion } from '../accounts/write-user.js';
import { type Changer, change } from '../change.js';
import { endEmailChange } from '../codes/store.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { SessionIds } from '../model/session.js';
import { deleteV1TokensOf } from '../v1-tokens/store.js';
import type { EndReason } from './end-statement.js';
import { endAllSessionRows, endOldestSessionRows, endSessionRow, insertEndedEvents } from './store.js';

type EndDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

/** Succeeds even if another request ended the session after the guard ran. */
export async function signOut(
  deps: EndDeps,
  { session, ...call }: Changer & { session: Pick<SessionIds, 'uid' | 'sessionId'> },
): Promise<void> {
  await endIfLive(deps, call, session, 'sign_out');
}

/** Ends a session. Throws `auth/session-not-found` when the user has no live session with this id. */
export async function endSession(
  deps: EndDeps,
  call: Changer,
  session: Pick<SessionIds, 'uid' | 'sessionId'>,
  reason: 'ended_by_user' | 'revoked',
): Promise<void> {
  if (!(await endIfLive(deps, call, session, reason))) throw new ApiError('auth/session-not-found');
}

function endIfLive(
  deps: EndDeps,
  { app, actor }: Changer,
  { uid, sessionId }: Pick<SessionIds, 'uid' | 'sessionId'>,
  reason: EndReason,
): Promise<boolean> {
  const now = deps.clock.now();
  const auditId = deps.random.ulid(now);
  const end = { appId: app.id, uid, sessionId, reason, auditId, actor, eventId: deps.random.ulid(now), now };
  return endSessionRow(deps.prisma, end);
}

export function signOutEverywhere(deps: EndDeps, call: Changer & { uid: string }): Promise<void> {
  const { app, uid } = call;
  return change(deps, call, async (tx, record) => {
    await endAllSessionsIn(tx, deps, { appId: app.id, uid }, 'sign_out_all');
    await record.audit({ action: 'user.signed_out_everywhere', uid });
  });
}

/**
 * Ends all sessions in the transaction of the caller. The version is raised first, so that no sign-in in progress starts a
 * session afterwards.
 */
export async function endAllSessionsIn(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: UserIds,
  reason: EndReason,
): Promise<void> {
  await raiseCredentialVersion(tx, ids, deps.clock.now());
  await endSessionsAfterRaise(tx, deps, ids, { reason });
}

/**
 * Ends the sessions once the caller has raised the credential version, except one if it is named; also every v1 token, and a
 * pending change of email.
 */
export async function endSessionsAfterRaise(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: UserIds,
  end: { reason: EndReason; exceptSessionId?: string },
): Promise<void> {
  const ended = await endAllSessionRows(tx, ids, { ...end, now: deps.clock.now() });
  await writeEnded(tx, deps, ids, ended);
  await deleteV1TokensOf(tx, ids);
  await endEmailChange(tx, ids);
}

/** Enforces the limit of live sessions by ending the oldest, but not the one that was just started. */
export async function endOldestSessions(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: SessionIds,
): Promise<void> {
  await lockUser(tx, ids);
  await writeEnded(tx, deps, ids, await endOldestSessionRows(tx, ids, deps.clock.now()));
}

async function writeEnded(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: UserIds,
  sessionIds: string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  const now = deps.clock.now();
  const eventIds = sessionIds.map(() => deps.random.ulid(now));
  await insertEndedEvents(tx, { ...ids, sessionIds, eventIds }, now);
}
