// The queues of the service's jobs.
import { createTestDatabase } from '@foyer/prisma/testing';
import { expect, test } from 'vitest';
import { testService } from '../test/harness.js';

test('the migrations create the queue of every job, and a start creates none', async () => {
  const database = await createTestDatabase();
  const queues = () => database.prisma.$queryRaw`SELECT name, created_on FROM pgboss.queue ORDER BY name`;
  const migrated = await queues();
  expect(migrated).toContainEqual({ name: 'mail', created_on: expect.any(Date) });
  const service = await testService({ database });
  expect(await queues()).toEqual(migrated);
  await service.stop();
});
