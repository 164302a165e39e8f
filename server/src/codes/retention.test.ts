// Retention of emailed codes.
import { expect, test } from 'vitest';
import { testOnServer } from '../../test/blocked.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { purge } from '../retention.js';
import { insertCode } from './store.js';

const service = shared(() => testService());

const day = 24 * 60 * 60 * 1_000;

test('codes are deleted exactly one day after they were sent', async () => {
  const { prisma } = service.database;
  const now = service.clock.now();
  const send = (subject: string, age: number) => {
    const key = { appId: service.app.app.id, purpose: 'sign_in', subject } as const;
    const hashes = { codeHash: Buffer.alloc(32), flowHash: Buffer.alloc(32) };
    const code = { ...hashes, email: subject, keyId: 1, flowOnly: false, byKnown: false };
    const sentAt = new Date(now.getTime() - age);
    return insertCode(prisma, key, { ...code, id: service.deps.random.ulid(now), now: sentAt });
  };
  await send('new@example.com', 0);
  await send('a-day@example.com', day);
  await send('older@example.com', day + 1);
  await purge(service.deps, 'codes');
  const left = await prisma.code.findMany({ orderBy: { subject: 'asc' } });
  expect(left.map(({ subject }) => subject)).toEqual(['a-day@example.com', 'new@example.com']);
});

async function insertOldCodes(count: number): Promise<void> {
  const sentAt = new Date(service.clock.now().getTime() - 2 * day);
  await service.database.prisma
    .$executeRaw`INSERT INTO codes (app_id, purpose, subject, id, email, key_id, code_hash, flow_hash, sent_at)
    SELECT ${service.app.app.id}, 'reset', place::text, '', 'x', 1, '', '', ${sentAt}::timestamptz
    FROM generate_series(1, ${count}::int) AS place`;
}

testOnServer(
  'the deletion skips the codes that a call holds, so that it cannot deadlock with one',
  async () => {
    const { prisma } = service.database;
    const where = { appId: service.app.app.id, purpose: 'reset' };
    await insertOldCodes(3);
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM codes WHERE app_id = ${where.appId} AND subject = '2' FOR UPDATE`;
      await purge(service.deps, 'codes');
      expect(await prisma.code.findMany({ where })).toMatchObject([{ subject: '2' }]);
    });
    await purge(service.deps, 'codes');
    expect(await prisma.code.count({ where })).toBe(0);
  },
);

test('codes are deleted in batches', async () => {
  const { prisma } = service.database;
  await insertOldCodes(2_001);
  await purge(service.deps, 'codes');
  expect(await prisma.code.count({ where: { purpose: 'reset' } })).toBe(0);
});
