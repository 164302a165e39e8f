// GET /admin/migration: the exact usage of v1, and the users of v2, which are counted once an hour.
import type { Deps } from '../../deps.js';
import { before, dayMilliseconds, hourMilliseconds, timestamp } from '../../lib/timestamp.js';
import type { App } from '../../model/app.js';
import { v1IdleSince } from '../tokens/v1-token.js';
import { countV1, countV2Users, findV2Usage, listAppsDue, type SessionPlace, writeV2Usage } from './store.js';

const activeDays = 30;
/** Limits the duration of each statement: a few milliseconds. */
const sessionsAtOnce = 2_000;

type FigureDeps = Pick<Deps, 'prisma' | 'clock'>;

export async function migrationFigures(deps: FigureDeps, app: App) {
  const now = deps.clock.now();
  const since = {
    days7: before(now, 7 * dayMilliseconds),
    days30: before(now, activeDays * dayMilliseconds),
    tokensIdle: v1IdleSince(now),
  };
  const v1 = await countV1(deps.prisma, app.id, since);
  // An app created since the last run of the job has no figure yet, and few users.
  const v2 = (await findV2Usage(deps.prisma, app.id)) ?? (await countV2Usage(deps, app.id));
  return {
    ...v1,
    v2_active_users_30d: v2,
    as_of: timestamp(now),
    sunset_at: app.settings.v1_sunset_at,
  };
}

/** The hourly job: counts every app whose figure is an hour old. */
export async function countV2UsageDue(deps: FigureDeps): Promise<void> {
  const due = await listAppsDue(deps.prisma, before(deps.clock.now(), hourMilliseconds));
  for (const appId of due) await countV2Usage(deps, appId);
}

async function countV2Usage(deps: FigureDeps, appId: string): Promise<number> {
  const now = deps.clock.now();
  const since = before(now, activeDays * dayMilliseconds);
  let active = 0;
  let countedUid = '';
  for (let after: SessionPlace | null = { uid: '', id: '' }; after !== null; ) {
    const batch = await countV2Users(deps.prisma, appId, {
      since,
      after,
      countedUid,
      maxRows: sessionsAtOnce,
    });
    active += batch.active;
    countedUid = batch.activeUid ?? countedUid;
    after = batch.sessions === sessionsAtOnce ? batch.last : null;
  }
  await writeV2Usage(deps.prisma, appId, active, now);
  return active;
}
