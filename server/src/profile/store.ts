// Queries on the purges of deleted accounts.
import { columnList, type Db, type PrismaClient, type Tx } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { hourMilliseconds } from '../lib/timestamp.js';

export type AccountPurge = UserIds & {
  deletedAt: Date;
  /** The last audit entry, and the last event, that is purged. */
  auditAfter: string;
  eventsAfter: string;
  /** False once only the events of the deletion itself are left. */
  rowsLeft: boolean;
  dueAt: Date;
};

const purgeNames: Record<keyof AccountPurge, true> = {
  appId: true,
  uid: true,
  deletedAt: true,
  auditAfter: true,
  eventsAfter: true,
  rowsLeft: true,
  dueAt: true,
};

const purgeColumns = columnList(Object.keys(purgeNames), { columns: { uid: 'user_id' } });

export async function insertPurge(tx: Tx, purge: AccountPurge): Promise<void> {
  await tx.accountPurge.create({ data: purge });
}

/** The longest due first. One with rows left is due within seconds: a later time was set by a clock that was ahead. */
export function listPurgesDue(prisma: PrismaClient, now: Date, maxRows: number): Promise<UserIds[]> {
  const latest = new Date(now.getTime() + hourMilliseconds);
  return prisma.accountPurge.findMany({
    where: { OR: [{ dueAt: { lte: now } }, { rowsLeft: true, dueAt: { gt: latest } }] },
    select: { appId: true, uid: true },
    orderBy: { dueAt: 'asc' },
    take: maxRows,
  });
}

/** Returns null where there is none, or another instance has locked it. */
export async function lockPurge(tx: Tx, ids: UserIds): Promise<AccountPurge | null> {
  const [row] = await tx.$queryRaw<AccountPurge[]>`SELECT ${purgeColumns}
    FROM account_purges WHERE app_id = ${ids.appId} AND user_id = ${ids.uid} FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

/** The purges of those of the accounts that were deleted. */
export function listPurgesOf(
  db: Db,
  appId: string,
  uids: string[],
): Promise<Pick<AccountPurge, 'uid' | 'rowsLeft'>[]> {
  return db.accountPurge.findMany({
    where: { appId, uid: { in: uids } },
    select: { uid: true, rowsLeft: true },
  });
}

export async function updatePurge(tx: Tx, purge: AccountPurge): Promise<void> {
  const { appId, uid, deletedAt: _, ...data } = purge;
  await tx.accountPurge.update({ where: { appId_uid: { appId, uid } }, data });
}

export async function postponePurge(
  prisma: PrismaClient,
  { appId, uid }: UserIds,
  dueAt: Date,
): Promise<void> {
  await prisma.accountPurge.updateMany({ where: { appId, uid }, data: { dueAt } });
}

export async function deletePurge(tx: Tx, { appId, uid }: UserIds): Promise<void> {
  await tx.accountPurge.deleteMany({ where: { appId, uid } });
}

/**
 * Applies for the rest of the transaction. Most users have few rows, so PostgreSQL would read and sort all that are
 * left of a user with many, for each batch, instead of the next ones by the index.
 */
export async function readInOrder(tx: Tx): Promise<void> {
  await tx.$executeRaw`SET LOCAL enable_bitmapscan = off`;
}
