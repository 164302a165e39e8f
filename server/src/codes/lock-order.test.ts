// Calls that consume or delete several codes of a subject lock them in one order, so that no two wait for each other.
import { expect } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { consumeCodes, deleteCodesOf, insertCode } from './store.js';

const service = shared(() => testService());

testOnServer.each(['consumeCodes', 'deleteCodesOf'])(
  '%s locks codes in the order of their ids',
  async (name) => {
    const { prisma } = service.database;
    const { deps, app } = service;
    const now = deps.clock.now();
    const subject = `${name}@example.com`;
    const key = { appId: app.app.id, purpose: 'sign_in', subject } as const;
    // Without an index the rows are found in the order in which they were inserted: here the newest first.
    await prisma.$executeRaw`ALTER TABLE codes DROP CONSTRAINT IF EXISTS codes_pkey`;
    await prisma.$executeRaw`DROP INDEX IF EXISTS codes_app_id_sent_at_idx`;
    const [older, newer] = [deps.random.ulid(now), deps.random.ulid(new Date(now.getTime() + 1))] as const;
    for (const id of [newer, older]) {
      const hashes = { codeHash: Buffer.alloc(32), flowHash: Buffer.alloc(32) };
      const code = { ...hashes, id, email: subject, keyId: 1, flowOnly: false, byKnown: false, now };
      expect(await insertCode(prisma, key, code)).toBe(true);
    }

    let waiting: Promise<unknown> | undefined;
    await prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT FROM codes WHERE app_id = ${app.app.id} AND id = ${newer} FOR UPDATE`;
        waiting = prisma.$transaction(async (own) => {
          if (name === 'deleteCodesOf') await deleteCodesOf(own, app.app.id, [subject]);
          else await consumeCodes(own, key, { id: newer, newestId: newer }, now);
        });
        await untilBlocked(service.database, 1, 'codes');
        const free = await tx.$queryRaw<unknown[]>`SELECT id FROM codes
        WHERE app_id = ${app.app.id} AND subject = ${subject} AND id = ${older} FOR UPDATE SKIP LOCKED`;
        expect(free).toEqual([]);
      },
      { timeout: 60_000 },
    );
    await waiting;
    expect(await prisma.code.count({ where: { appId: app.app.id, subject } })).toBe(0);
  },
);
