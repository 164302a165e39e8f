// Ends one session or all of them. Both are updates of the rows that a refresh updates, so each refresh comes wholly
// before or wholly after.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { idleSince } from './live.js';
import {
  type EndReason,
  endAllSessionRows,
  endOldestSessionRows,
  endSessionRow,
  insertEndedEvents,
  lockUser,
  raiseCredentialVersion,
} from './store.js';

type SessionIds = { appId: string; userId: string; sessionId: string };

/** Afterwards the session has ended: by this call, or by another that came between the guard and here. */
export async function signOut(deps: Deps, ids: SessionIds): Promise<void> {
  await endIfLive(deps, ids, 'sign_out');
}

/** `auth/session-not-found` when the user has no live session with this id. */
export async function endSession(deps: Deps, ids: SessionIds): Promise<void> {
  if (!(await endIfLive(deps, ids, 'ended_by_user'))) throw new ApiError('auth/session-not-found');
}

function endIfLive(deps: Deps, ids: SessionIds, reason: EndReason): Promise<boolean> {
  const now = deps.clock.now();
  const at = { now, idleSince: idleSince(now) };
  return endSessionRow(deps.prisma, { ...ids, eventId: deps.random.ulid(now) }, reason, at);
}

export function endAllSessions(
  deps: Deps,
  ids: { appId: string; userId: string },
  reason: EndReason,
): Promise<void> {
  return deps.prisma.$transaction((tx) => endAllSessionsIn(tx, deps, ids, reason));
}

/** For operations that end all sessions as a part of more, in their own transaction. The order of the steps matters. */
export async function endAllSessionsIn(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; userId: string },
  reason: EndReason,
): Promise<void> {
  await raiseCredentialVersion(tx, ids, deps.clock.now());
  await endSessionsAfterRaise(tx, deps, ids, reason);
}

/**
 * The second step alone, for a transaction whose first statement on the user already raised the credential version. One
 * session may be spared.
 */
export async function endSessionsAfterRaise(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; userId: string },
  reason: EndReason,
  exceptId: string | null = null,
): Promise<void> {
  const now = deps.clock.now();
  await writeEnded(tx, deps, ids, await endAllSessionRows(tx, ids, reason, now, exceptId), now);
}

/** Keeps a user at the limit of live sessions: the oldest end. */
export async function endOldestSessions(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  ids: { appId: string; userId: string },
): Promise<void> {
  const now = deps.clock.now();
  // The user row first, as whatever ends all sessions takes it: rows locked in two orders would be a deadlock.
  await lockUser(tx, ids);
  await writeEnded(tx, deps, ids, await endOldestSessionRows(tx, ids, now, idleSince(now)), now);
}

async function writeEnded(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'random'>,
  ids: { appId: string; userId: string },
  sessionIds: string[],
  now: Date,
): Promise<void> {
  if (sessionIds.length === 0) return;
  const eventIds = sessionIds.map(() => deps.random.ulid(now));
  await insertEndedEvents(tx, { ...ids, sessionIds, eventIds }, now);
}
