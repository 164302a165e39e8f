// Retention of emailed codes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../test/harness.js';
import { purge } from '../retention.js';
import { insertCode } from './store.js';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.stop());

const day = 24 * 60 * 60 * 1_000;

test('codes are deleted exactly one day after they were sent', async () => {
  const { prisma } = service.database;
  const now = service.clock.now();
  const send = (subject: string, age: number) =>
    insertCode(
      prisma,
      { appId: service.app.app.id, purpose: 'sign_in', subject },
      {
        id: service.deps.random.ulid(now),
        email: subject,
        keyId: 1,
        codeHash: Buffer.alloc(32),
        flowHash: Buffer.alloc(32),
        now: new Date(now.getTime() - age),
      },
    );
  await send('new@example.com', 0);
  await send('a-day@example.com', day);
  await send('older@example.com', day + 1);
  await purge(service.deps, 'codes');
  const left = await prisma.code.findMany({ orderBy: { subject: 'asc' } });
  expect(left.map(({ subject }) => subject)).toEqual(['a-day@example.com', 'new@example.com']);
});

test('codes are deleted in batches', async () => {
  const { prisma } = service.database;
  const { id: appId } = service.app.app;
  const sentAt = new Date(service.clock.now().getTime() - 2 * day);
  const hash = new Uint8Array(32);
  const row = {
    appId,
    purpose: 'reset',
    id: '',
    email: 'x',
    keyId: 1,
    codeHash: hash,
    flowHash: hash,
    sentAt,
  };
  const rows = Array.from({ length: 5_001 }, (_, place) => ({ ...row, subject: `${place}@example.com` }));
  await prisma.code.createMany({ data: rows });
  await purge(service.deps, 'codes');
  expect(await prisma.code.count({ where: { purpose: 'reset' } })).toBe(0);
});
