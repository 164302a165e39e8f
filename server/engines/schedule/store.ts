// Chooses the instance that runs a periodic job, which runs once per period however many instances there are: the instance
// whose statement moves the row of the job to the next period.
import type { PrismaClient } from '@foyer/prisma';

export type Claim = {
  name: string;
  now: Date;
  /** The job is due again then, unless the owner says otherwise before. */
  until: Date;
  /** A job that is due even later was claimed by a clock that was ahead, and is due now. */
  latest: Date;
};

/** Returns whether the caller is the owner, and when the job was due; null if it had no row. */
export async function claimJob(
  prisma: PrismaClient,
  { name, now, until, latest }: Claim,
): Promise<{ isOwner: boolean; dueAt: Date | null }> {
  const [row] = await prisma.$queryRaw<{ isOwner: boolean; dueAt: Date | null }[]>`WITH claimed AS (
      INSERT INTO scheduled_jobs AS j (name, due_at) VALUES (${name}, ${until}::timestamptz)
      ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
      WHERE j.due_at <= ${now}::timestamptz OR j.due_at > ${latest}::timestamptz
      RETURNING name
    )
    SELECT EXISTS (SELECT FROM claimed) AS "isOwner",
      (SELECT due_at FROM scheduled_jobs WHERE name = ${name}) AS "dueAt"`;
  return row ?? { isOwner: false, dueAt: null };
}

/** Changes nothing if another instance has claimed the job since. */
export async function setJobDue(
  prisma: PrismaClient,
  { name, until }: Pick<Claim, 'name' | 'until'>,
  dueAt: Date,
): Promise<void> {
  await prisma.scheduledJob.updateMany({ where: { name, dueAt: until }, data: { dueAt } });
}
