// Statement and transaction sizes of an import, and retries of a batch that times out.
import type { Tx } from '@foyer/prisma';
import { describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../../test/blocked.js';
import { statementLog, testService } from '../../../test/harness.js';
import { shared } from '../../../test/shared.js';
import { v1ImportScenario } from '../../../test/v1-import-scenario.js';
import { v1Scenario } from '../../../test/v1-scenario.js';
import { lockImports } from '../../admin-users/store.js';
import type { StoreDeps } from '../../deps.js';
import { importBatch } from './import-batch.js';
import { readExportLine } from './v1-export.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const v1 = v1Scenario(() => service);
const { importUsers, nextUser } = v1ImportScenario(() => service);

const historyOf = (entries: number) =>
  Array(entries).fill({ points: 1, description: 'x', created_at: '2025-01-01T00:00:00Z' });

async function during(work: () => Promise<unknown>) {
  const sent = await statements.during(work);
  return (part: string) => sent.filter((sql) => sql.includes(part)).length;
}

test('a long history is inserted completely, with several statements', async () => {
  const user = nextUser({ points: 4_001, history: historyOf(4_001) });
  const sent = await during(() => importUsers([user]));
  expect(sent('INSERT INTO loyalty_entries')).toBe(3);
  expect(sent('INSERT INTO users')).toBe(1);
  const { id } = await v1.rowOf(user.email);
  expect(await service.database.prisma.loyaltyEntry.count({ where: { uid: id } })).toBe(4_001);
});

test('fewer users with long histories are imported per transaction', async () => {
  const users = Array.from({ length: 6 }, () => nextUser({ points: 1_500, history: historyOf(1_500) }));
  expect((await during(() => importUsers(users)))('INSERT INTO users')).toBe(2);
});

describe('a batch', () => {
  /** The first transactions fail with the given error, the later ones are real. */
  function failing(times: number, error: Error): StoreDeps {
    let left = times;
    const real = service.deps.prisma;
    const prisma = new Proxy(real, {
      get(target, name) {
        if (name !== '$transaction' || left === 0) return Reflect.get(target, name);
        left -= 1;
        return () => Promise.reject(error);
      },
    });
    return { ...service.deps, prisma };
  }

  async function importing(deps: StoreDeps, user = nextUser()) {
    const read = readExportLine(JSON.stringify(user), service.clock.now());
    if (!read.user) throw new Error(read.reason);
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const batch = importBatch({ ...deps, pause }, service.app.app, [{ ...read, number: 1 }]);
    return { outcome: await batch.catch((error: unknown) => error), pauses };
  }

  testOnServer(
    'waits for an import by the backend, since crossed emails and member ids would deadlock',
    async () => {
      const appId = service.app.app.id;
      const { importing: batch } = await service.database.prisma.$transaction(async (tx) => {
        await lockImports(tx, appId);
        const started = importing(service.deps);
        await untilBlocked(service.database, 1, 'pg_advisory_xact_lock');
        return { importing: started };
      });
      expect(await batch).toEqual({ outcome: [{ as: 'new' }], pauses: [] });
    },
  );

  const noTime = Object.assign(new Error('no time'), { code: 'P2028' });

  test('that times out is retried, with growing pauses', async () => {
    expect(await importing(failing(4, noTime))).toEqual({
      outcome: [{ as: 'new' }],
      pauses: [1_000, 2_000, 4_000, 8_000],
    });
  });

  test('is aborted after the fifth attempt', async () => {
    const { outcome, pauses } = await importing(failing(5, noTime));
    expect([outcome, pauses.length]).toEqual([noTime, 4]);
  });

  test.each(['email', 'token'] as const)(
    'whose %s is taken after the check is checked again',
    async (what) => {
      const first = nextUser();
      await importUsers([first]);
      const late = nextUser(what === 'email' ? { email: first.email } : { tokens: first.tokens });
      const real = service.deps.prisma;
      let checks = 0;
      type Query = typeof real.$queryRaw;
      /** Sees the database as it was before the first user, once. */
      const before = <Client extends { $queryRaw: Query }>(tx: Client): Client =>
        new Proxy(tx, {
          get(target, name) {
            if (name !== '$queryRaw') return Reflect.get(target, name);
            return (...sent: Parameters<Query>) => {
              const isCheck = String(sent[0]).includes(`'line' AS kind`);
              if (isCheck) checks += 1;
              return isCheck && checks === 1 ? [] : target.$queryRaw(...sent);
            };
          },
        });
      const prisma = new Proxy(real, {
        get(target, name) {
          if (name !== '$transaction') return Reflect.get(target, name);
          return (work: (tx: Tx) => Promise<unknown>, options: object) =>
            target.$transaction((tx) => work(before(tx)), options);
        },
      });
      const { outcome } = await importing({ ...service.deps, prisma }, late);
      expect(checks).toBe(2);
      expect(outcome).toMatchObject([{ as: 'refused' }]);
      expect(await service.database.prisma.v1Import.count({ where: { v1Id: late.id } })).toBe(0);
    },
  );

  test('that the database refuses is not retried', async () => {
    const refused = new Error('no such column');
    expect(await importing(failing(1, refused))).toEqual({ outcome: refused, pauses: [] });
  });
});
