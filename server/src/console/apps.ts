// The apps that a team member sees, and what owners change on them.
import { type ConsoleApp, Ulid } from '@foyer/contract';
import { type AppChange, changeApp } from '../apps/change-app.js';
import { createAppWithoutKey } from '../apps/create-app.js';
import type { Deps } from '../deps.js';
import type { StoreResponse } from '../idempotency/stored-response.js';
import { ApiError } from '../lib/api-error.js';
import { decodeCursor } from '../lib/cursor.js';
import { type Page, type PageInput, pageOf } from '../lib/page.js';
import type { Actor } from '../model/actor.js';
import type { TeamCall } from '../model/call.js';
import type { CallingMember } from '../model/member.js';
import { toWire } from '../model/wire.js';
import { type AppRow, appNames, findAppRow, listAppsOf } from './store.js';

export async function listApps(
  deps: Pick<Deps, 'query'>,
  member: CallingMember,
  { limit, cursor, q }: PageInput & { q?: string | undefined },
): Promise<Page<ConsoleApp>> {
  const afterId = cursor === undefined ? undefined : decodeCursor(cursor, Ulid)[0];
  const rows = await listAppsOf(deps.query, member, { q, afterId, maxRows: limit + 1 });
  return pageOf(rows, limit, ({ id }) => [id], serializeApp);
}

export async function readApp(
  deps: Pick<Deps, 'query'>,
  appId: string,
  { role }: CallingMember,
): Promise<ConsoleApp> {
  const row = await findAppRow(deps.query, appId);
  if (!row || !role) throw new ApiError('console/app-not-found');
  return serializeApp({ ...row, role });
}

export async function createApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>,
  draft: { name: string; slug?: string | undefined },
  actor: Actor,
  store: StoreResponse<ConsoleApp>,
): Promise<ConsoleApp> {
  const answerOf = (app: Omit<AppRow, 'role' | 'createdAt'>, createdAt: Date) =>
    serializeApp({ ...app, createdAt, role: 'owner' });
  const created = await createAppWithoutKey(deps, draft, actor, (tx, app, createdAt) =>
    store(tx, answerOf(app, createdAt)),
  );
  if (!created) {
    throw new ApiError('console/slug-taken', { fields: { slug: ['is the slug of another app'] } });
  }
  return answerOf(created.app, created.createdAt);
}

/** The name, or whether the app is enabled; effective on other instances within five seconds. */
export async function updateApp(
  deps: Pick<Deps, 'prisma' | 'query' | 'clock' | 'random' | 'apps'>,
  { member, actor }: TeamCall,
  appId: string,
  change: AppChange,
): Promise<ConsoleApp> {
  if (appId === (await deps.apps.console()).id) throw new ApiError('console/not-available');
  await changeApp(deps, { app: { id: appId }, actor }, change);
  deps.apps.forget();
  // Finds none if the app is being deleted, which the change has left as it is.
  return readApp(deps, appId, member);
}

function serializeApp(row: AppRow): ConsoleApp {
  return toWire(row, [...appNames, 'role']);
}
