// Re-encryption of the queued jobs after a change of ENCRYPTION_KEYS: some wait for weeks, and could neither run nor end without
// the former key.
import type { PrismaClient } from '@foyer/prisma';
import { type KeyRing, reencryptRows } from '../keys/index.js';
import { listJobsOfOtherKeys, replaceJobData, type StoredJob } from './queue-boss.js';
import { resealJob } from './sealed-job.js';

/** Re-encrypts the data of every job with the current encryption key; returns how many used another. */
export function reencryptJobs({
  prisma,
  keyRing,
}: {
  prisma: PrismaClient;
  keyRing: KeyRing;
}): Promise<number> {
  return reencryptRows<StoredJob>(keyRing, {
    list: (last, keyId, maxRows) => listJobsOfOtherKeys(prisma, keyId, { last, maxRows }),
    replace: (job) => replaceJobData(prisma, job, resealJob(keyRing, job.name, job.data)),
  });
}
