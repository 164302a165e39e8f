// Ends one session, or all of them and with them the v1 tokens. Sessions end by updates of the rows that a refresh updates,
// so each refresh comes wholly before or wholly after.
import type { Prisma } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import { endEmailChange } from '../codes/live-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Actor } from '../model/actor.js';
import { lockUser } from '../users/account.js';
import { raiseCredentialVersion } from '../users/write-user.js';
import { endV1TokensOf } from '../v1/tokens/end-v1-tokens.js';
import { idleSince } from './live.js';
import {
  type EndReason,
  endAllSessionRows,
  endOldestSessionRows,
  endSessionRow,
  insertEndedEvents,
} from './store.js';

export { deleteSessionsEndedBefore, deleteSessionsOf } from './store.js';

type SessionIds = { appId: string; uid: string; sessionId: string };

/** Succeeds even if another request ended the session after the guard ran. */
export async function signOut(deps: Deps, ids: SessionIds, actor: Actor): Promise<void> {
  await endIfLive(deps, ids, 'sign_out', actor);
}

/** `auth/session-not-found` when the user has no live session with this id. */
export async function endSession(deps: Deps, ids: SessionIds, actor: Actor): Promise<void> {
  if (!(await endIfLive(deps, ids, 'ended_by_user', actor))) throw new ApiError('auth/session-not-found');
}

/** The same, by the app's backend. */
export async function revokeSession(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: SessionIds,
  actor: Actor,
): Promise<void> {
  if (!(await endIfLive(deps, ids, 'revoked', actor))) throw new ApiError('auth/session-not-found');
}

function endIfLive(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: SessionIds,
  reason: EndReason,
  actor: Actor,
): Promise<boolean> {
  const now = deps.clock.now();
  const at = { now, idleSince: idleSince(now) };
  const audit = { id: deps.random.ulid(now), actor };
  return endSessionRow(deps.prisma, { ...ids, eventId: deps.random.ulid(now) }, reason, audit, at);
}

/** For the user: ends all sessions. */
export function signOutEverywhere(
  deps: Deps,
  ids: { appId: string; uid: string },
  actor: Actor,
): Promise<void> {
  const { appId, uid } = ids;
  return deps.prisma.$transaction(async (tx) => {
    await endAllSessionsIn(tx, deps, ids, 'sign_out_all');
    const target = `user:${uid}`;
    await writeAuditEntry(tx, deps, { appId, actor, action: 'user.signed_out_everywhere', target, uid });
  });
}

/** For operations that end all sessions in their own transaction. The order of the steps matters. */
export async function endAllSessionsIn(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; uid: string },
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
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; uid: string },
  reason: EndReason,
  exceptId: string | null = null,
): Promise<void> {
  const now = deps.clock.now();
  await writeEnded(tx, deps, ids, await endAllSessionRows(tx, ids, reason, now, exceptId), now);
  await endV1TokensOf(tx, ids);
  await endEmailChange(tx, ids);
}

/** Enforces the limit of live sessions by ending the oldest. */
export async function endOldestSessions(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; uid: string },
): Promise<void> {
  const now = deps.clock.now();
  await lockUser(tx, ids);
  await writeEnded(tx, deps, ids, await endOldestSessionRows(tx, ids, now, idleSince(now)), now);
}

async function writeEnded(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'random'>,
  ids: { appId: string; uid: string },
  sessionIds: string[],
  now: Date,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const eventIds = sessionIds.map(() => deps.random.ulid(now));
  await insertEndedEvents(tx, { ...ids, sessionIds, eventIds }, now);
}
