// GET /me/sessions: the user's live sessions. There are at most a hundred, so pages are cut from the whole list, and the
// columns that every refresh changes need no index.
import { InstantInput, type Session, Ulid } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import { timestamp } from '../lib/timestamp.js';
import { toWire } from '../model/wire.js';
import type { ListedSession } from './columns.js';
import { expiresAt } from './live.js';
import { listLiveSessions } from './store.js';

export async function listSessions(
  deps: Deps,
  /** `sessionId`: the session of the request, if the user makes it. */
  caller: { appId: string; uid: string; sessionId: string | null },
  page: PageInput,
): Promise<Page<Session>> {
  const ids = { appId: caller.appId, uid: caller.uid };
  const all = await listLiveSessions(deps.prisma, ids, deps.clock.now());
  const rest = page.cursor === undefined ? all : after(all, page.cursor);
  return pageOf(rest, page.limit, keysOf, (session) => present(session, caller.sessionId));
}

function after(sessions: ListedSession[], cursor: string): ListedSession[] {
  const [usedAt, id] = decodeCursor(cursor, InstantInput, Ulid);
  return sessions.filter((session) => {
    const [ownUsedAt, ownId] = keysOf(session);
    return ownUsedAt < usedAt || (ownUsedAt === usedAt && ownId < id);
  });
}

function keysOf(session: ListedSession): [usedAt: string, id: string] {
  return [timestamp(session.lastUsedAt), session.id];
}

function present(session: ListedSession, currentId: string | null): Session {
  return {
    ...toWire(session, ['id', 'method', 'createdAt', 'lastUsedAt']),
    ip_address: session.ip,
    current: session.id === currentId,
    device: {
      name: session.deviceName,
      type: session.deviceType,
      ...toWire(session, ['os', 'browser', 'appVersion']),
    },
    expires_at: timestamp(expiresAt(session.lastUsedAt)),
  };
}
