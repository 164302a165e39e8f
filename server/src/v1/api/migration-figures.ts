// GET /admin/migration: the exact usage of v1, and the users of v2, which are counted once an hour.
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import { before, dayMilliseconds, hourMilliseconds, timestamp } from '../../lib/timestamp.js';
import type { App } from '../../model/app.js';
import { v1IdleSince } from '../../v1-tokens/v1-token.js';
import {
  countV1Uses,
  countV2Users,
  findV2Usage,
  listAppsDue,
  type SessionPlace,
  type UseBatch,
  writeV2Usage,
} from './store.js';

const activeDays = 30;
/** Limits the duration of each statement: a few milliseconds, unless many uses of v1 have one time. */
const rowsAtOnce = 2_000;
/** The maximum age of the snapshot, during which the database cannot remove old row versions. */
const countMilliseconds = 30_000;

type FigureDeps = Pick<Deps, 'prisma' | 'clock'>;

export async function migrationFigures(deps: FigureDeps, app: App) {
  const now = deps.clock.now();
  const v1 = await countV1(deps, app.id, now);
  // An app created since the last run of the job has no figure yet, and few users.
  const v2 = (await findV2Usage(deps.prisma, app.id)) ?? (await countV2Usage(deps, app.id));
  return {
    ...v1,
    v2_active_users_30d: v2,
    as_of: timestamp(now),
    sunset_at: app.settings.v1_sunset_at,
  };
}

/** Counts in one snapshot, so that a user whose activity moves them in the index meanwhile is counted exactly once. */
function countV1({ prisma }: FigureDeps, appId: string, now: Date) {
  const days7 = before(now, 7 * dayMilliseconds);
  return prisma.$transaction(
    async (tx) => {
      const users = await countUses(tx, appId, 'users', before(now, activeDays * dayMilliseconds), days7);
      const tokens = await countUses(tx, appId, 'tokens', v1IdleSince(now), now);
      return {
        v1_active_users_7d: users.recent,
        v1_active_users_30d: users.all,
        v1_live_tokens: tokens.all,
      };
    },
    { isolationLevel: 'RepeatableRead', timeout: countMilliseconds },
  );
}

async function countUses(tx: Tx, appId: string, of: 'users' | 'tokens', since: Date, recent: Date) {
  const counts = { all: 0, recent: 0 };
  for (let after: string | null = since.toISOString(); after !== null; ) {
    const batch: UseBatch = await countV1Uses(tx, appId, of, { recent, after, maxRows: rowsAtOnce });
    counts.all += batch.rows;
    counts.recent += batch.recent;
    after = batch.rows < rowsAtOnce ? null : batch.last;
  }
  return counts;
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
      maxRows: rowsAtOnce,
    });
    active += batch.active;
    countedUid = batch.activeUid ?? countedUid;
    after = batch.sessions === rowsAtOnce ? batch.last : null;
  }
  await writeV2Usage(deps.prisma, appId, active, now);
  return active;
}
