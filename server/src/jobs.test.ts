// The queues of the service's jobs.
import { createTestDatabase } from '@foyer/prisma/testing';
import { expect, test } from 'vitest';
import { testService } from '../test/harness.js';
import { until } from '../test/until.js';

test('the migrations create the queue of every job, and a start creates none', async () => {
  const database = await createTestDatabase();
  const queues = () => database.prisma.$queryRaw`SELECT name, created_on FROM pgboss.queue ORDER BY name`;
  const migrated = await queues();
  expect(migrated).toContainEqual({ name: 'mail', created_on: expect.any(Date) });
  const service = await testService({ database });
  expect(await queues()).toEqual(migrated);
  await service.stop();
});

// Minutes and hours in which a provider, a mail server or a store may be away, and after how long a job of a dead process runs again.
test('how often, after which pause and for how long each job is tried', async () => {
  const service = await testService();
  const { prisma } = service.database;
  const names = await prisma.$queryRaw<{ name: string }[]>`SELECT name FROM pgboss.queue ORDER BY name`;
  await prisma.$executeRaw`DELETE FROM pgboss.job`;
  for (const { name } of names) await service.deps.queue.send(prisma, name, {}, { startAfterSeconds: 3_600 });
  const jobs = await prisma.$queryRaw`SELECT name, retry_limit, retry_delay,
      extract(epoch FROM expire_in)::int AS seconds,
      extract(epoch FROM keep_until - start_after)::int / 86400 AS kept_days
    FROM pgboss.job ORDER BY name`;
  const tried = (name: string, retry_limit: number, retry_delay: number, seconds: number) => ({
    ...{ name, retry_limit, retry_delay, seconds },
    kept_days: 40,
  });
  expect(jobs).toEqual([
    tried('data_build_index', 10, 5, 300),
    tried('data_remove_index', 10, 5, 300),
    tried('data_remove_records', 10, 5, 300),
    tried('files_remove_bytes', 14, 10, 600),
    tried('mail', 12, 5, 90),
    tried('provider_b_exchange', 5, 5, 30),
    tried('provider_b_revoke', 10, 5, 30),
    tried('push', 20, 5, 120),
    tried('user_export', 12, 10, 900),
    tried('user_export_expiry', 12, 10, 900),
  ]);
  await service.stop();
});

test('the files of two deletions are removed at once, of one app those of one', async () => {
  const begun: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const service = await testService({
    overrides: {
      fileStore: {
        heldBytes: 0,
        write: async () => {},
        open: async () => null,
        async remove({ appId }) {
          begun.push(appId);
          await ended;
        },
      },
    },
  });
  const { queue, prisma } = service.deps;
  for (const appId of ['one', 'one', 'two', 'three', 'two', 'three']) {
    await queue.send(prisma, 'files_remove_bytes', { appId, fileIds: ['file'] });
  }
  const run = queue.runNow();
  await until(() => begun.length === 2);
  // Further slots would be taken by now.
  for (let turn = 0; turn < 10; turn += 1) await prisma.$queryRaw`SELECT 1`;
  expect(begun).toHaveLength(2);
  expect(new Set(begun).size).toBe(2);
  end();
  await run;
  expect(begun.toSorted()).toEqual(['one', 'one', 'three', 'three', 'two', 'two']);
  await service.stop();
});
