// Purges the rows of a deleted account of which there may be many, in batches: the first batch of each kind in the
// transaction of the deletion, which is enough for most accounts, the rest in the background. A row of `account_purges`
// records the progress, so that a crash loses nothing.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { clearEntriesOf } from '../audit/store.js';
import { transaction } from '../change.js';
import { purgeRecordsOf } from '../data/records/purge-owner.js';
import type { Deps } from '../deps.js';
import { purgeFilesOf } from '../files/remove-bytes.js';
import { firstUlidOf } from '../lib/crypto/ulid-bytes.js';
import { dayMilliseconds } from '../lib/timestamp.js';
import { purgeLedgerOf } from '../loyalty/store.js';
import { deleteSessionsOf } from '../sessions/store.js';
import { forgetResponsesToEntries, purgeUserInEvents } from '../webhooks/endpoints/store.js';
import {
  type AccountPurge,
  deletePurge,
  insertPurge,
  listPurgesDue,
  lockPurge,
  postponePurge,
  readInOrder,
  updatePurge,
} from './store.js';

/** Rows of one account in one statement. */
export const purgeBatchRows = 1_000;
/** Per account and run, so that other accounts progress too, and a shutdown does not wait for long. */
const batchesPerRun = 50;
export const accountsPerRun = 100;
const continueMilliseconds = 10_000;
/** Sorts after every event. */
const lastId = 'Z';

type PurgeDeps = Pick<Deps, 'prisma' | 'clock' | 'queue' | 'logger'>;

/**
 * Runs in the transaction of the deletion, once every session has ended. `firstEvent` is at most the id of its first event: after
 * the clock has stepped back, earlier events have ids from after `deletedAt`.
 */
export async function beginPurge(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'queue'>,
  ids: UserIds,
  firstEvent: string,
): Promise<void> {
  const now = deps.clock.now();
  const purge = { ...ids, deletedAt: now, auditAfter: '', eventsAfter: '', rowsLeft: true, dueAt: now };
  await insertPurge(tx, await purgeBatch(tx, deps, purge, firstEvent));
}

/** Continues with every account that has rows left; returns when to go on, unless there was none. */
export async function purgeDeletedAccounts(deps: PurgeDeps): Promise<number | null> {
  const due = await listPurgesDue(deps.prisma, deps.clock.now(), accountsPerRun);
  for (const ids of due) {
    try {
      for (let batches = 0; batches < batchesPerRun && (await purgeOnce(deps, ids)); batches += 1);
    } catch (error) {
      // A failure of one account does not delay the others: they are due before its retry.
      deps.logger.error({ err: error, app_id: ids.appId }, 'purging a deleted account failed; it is retried');
      await postponePurge(deps.prisma, ids, new Date(deps.clock.now().getTime() + continueMilliseconds));
    }
  }
  return due.length > 0 ? continueMilliseconds : null;
}

/**
 * Purges the events of a deletion before an account with the same uid is imported: later, the purge would take the events of that
 * account as well. No other rows may be left.
 */
export async function endPurge(tx: Tx, ids: UserIds): Promise<void> {
  // First, in the order in which a purge locks them.
  await deletePurge(tx, ids);
  for (let after = ''; ; ) {
    const { rows, last } = await purgeUserInEvents(tx, ids, { after, before: lastId, limit: purgeBatchRows });
    if (rows < purgeBatchRows) return;
    after = last;
  }
}

/** Returns false when nothing is left to do now. */
function purgeOnce(deps: PurgeDeps, ids: UserIds): Promise<boolean> {
  return transaction(deps, async (tx) => {
    const purge = await lockPurge(tx, ids);
    // Done, or locked by another instance.
    if (!purge) return false;
    await readInOrder(tx);
    if (purge.rowsLeft) {
      const next = await purgeBatch(tx, deps, purge);
      await updatePurge(tx, next);
      return next.rowsLeft;
    }
    const { rows, last } = await purgeUserInEvents(tx, ids, {
      after: purge.eventsAfter,
      before: lastId,
      limit: purgeBatchRows,
    });
    if (rows === purgeBatchRows) await updatePurge(tx, { ...purge, eventsAfter: last });
    else await deletePurge(tx, ids);
    return rows === purgeBatchRows;
  });
}

/** A batch of each kind of row. The events of the deletion itself are left for their delivery. */
async function purgeBatch(
  tx: Tx,
  deps: Pick<Deps, 'queue'>,
  purge: AccountPurge,
  firstEvent = firstUlidOf(purge.deletedAt),
): Promise<AccountPurge> {
  const { appId, uid, deletedAt } = purge;
  const ids = { appId, uid };
  const audit = await clearEntriesOf(tx, ids, purge.auditAfter, purgeBatchRows);
  await forgetResponsesToEntries(tx, ids, { after: purge.auditAfter, last: audit.last });
  const events = await purgeUserInEvents(tx, ids, {
    after: purge.eventsAfter,
    before: firstEvent,
    limit: purgeBatchRows,
  });
  const removed = [
    audit.rows,
    events.rows,
    await deleteSessionsOf(tx, ids, purgeBatchRows),
    await purgeLedgerOf(tx, ids, purgeBatchRows),
    await purgeFilesOf(tx, deps, ids, purgeBatchRows),
    await purgeRecordsOf(tx, ids, purgeBatchRows),
  ];
  const rowsLeft = removed.includes(purgeBatchRows);
  const deliveredAt = new Date(deletedAt.getTime() + limits.deletedEventDays * dayMilliseconds);
  return {
    ...purge,
    auditAfter: audit.last,
    eventsAfter: events.last,
    rowsLeft,
    dueAt: rowsLeft ? purge.dueAt : deliveredAt,
  };
}
