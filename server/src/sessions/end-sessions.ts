// Ends one session, or all of them and with them the v1 tokens. Sessions end by updates of the rows that a refresh updates,
// so each refresh comes wholly before or wholly after.
import type { Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import { endEmailChange } from '../codes/live-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Actor } from '../model/actor.js';
import type { SessionIds } from '../model/session.js';
import { lockUser, type UserIds } from '../users/account.js';
import { raiseCredentialVersion } from '../users/write-user.js';
import { endV1TokensOf } from '../v1/tokens/end-v1-tokens.js';
import type { EndReason } from './end-statement.js';
import { endAllSessionRows, endOldestSessionRows, endSessionRow, insertEndedEvents } from './store.js';

export { deleteSessionsEndedBefore, deleteSessionsOf } from './store.js';

/** Succeeds even if another request ended the session after the guard ran. */
export async function signOut(deps: Deps, ids: SessionIds, actor: Actor): Promise<void> {
  await endIfLive(deps, ids, 'sign_out', actor);
}

/** `auth/session-not-found` when the user has no live session with this id. */
export async function endSession(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: SessionIds,
  reason: 'ended_by_user' | 'revoked',
  actor: Actor,
): Promise<void> {
  if (!(await endIfLive(deps, ids, reason, actor))) throw new ApiError('auth/session-not-found');
}

function endIfLive(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: SessionIds,
  reason: EndReason,
  actor: Actor,
): Promise<boolean> {
  const now = deps.clock.now();
  const audit = { id: deps.random.ulid(now), actor };
  return endSessionRow(deps.prisma, { ...ids, eventId: deps.random.ulid(now) }, reason, audit, now);
}

export function signOutEverywhere(deps: Deps, { appId, uid }: UserIds, actor: Actor): Promise<void> {
  return deps.prisma.$transaction(async (tx) => {
    await endAllSessionsIn(tx, deps, { appId, uid }, 'sign_out_all');
    const target = `user:${uid}`;
    await writeAuditEntry(tx, deps, { appId, actor, action: 'user.signed_out_everywhere', target, uid });
  });
}

/** For operations that end all sessions in their own transaction. The order of the steps matters. */
export async function endAllSessionsIn(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: UserIds,
  reason: EndReason,
): Promise<void> {
  await raiseCredentialVersion(tx, ids, deps.clock.now());
  await endSessionsAfterRaise(tx, deps, ids, reason);
}

/**
 * The second step, for a transaction whose first statement on the user already raised the credential version. Also ends a
 * pending change of email. It can spare one session, but no v1 token.
 */
export async function endSessionsAfterRaise(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: UserIds,
  reason: EndReason,
  exceptId: string | null = null,
): Promise<void> {
  const now = deps.clock.now();
  await writeEnded(tx, deps, ids, await endAllSessionRows(tx, ids, reason, now, exceptId), now);
  await endV1TokensOf(tx, ids);
  await endEmailChange(tx, ids);
}

/** Enforces the limit of live sessions by ending the oldest, but not the one that was just started. */
export async function endOldestSessions(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: SessionIds,
): Promise<void> {
  const now = deps.clock.now();
  await lockUser(tx, ids);
  await writeEnded(tx, deps, ids, await endOldestSessionRows(tx, ids, now), now);
}

async function writeEnded(
  tx: Tx,
  deps: Pick<Deps, 'random'>,
  ids: UserIds,
  sessionIds: string[],
  now: Date,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const eventIds = sessionIds.map(() => deps.random.ulid(now));
  await insertEndedEvents(tx, { ...ids, sessionIds, eventIds }, now);
}
