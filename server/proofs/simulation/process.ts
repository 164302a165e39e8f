// One simulated process of the service: the dependencies of its operations, on a clock, a random source and a scheduler of
// the schedule's own. An operation waits at each statement until the scheduler lets it go on, or ends it there for ever, as
// a crash would. A transaction is one step: the database runs those of one account one after the other.
import { Prisma } from '@foyer/prisma';
import { monotonicFactory } from 'ulid';
import type { Deps } from '../../src/deps.js';
import { accessTokens } from '../../src/tokens/access-token.js';
import type { Chance } from '../../test/bad-values.js';
import type { Run } from './run-steps.js';
import type { Result, Statement } from './statements.js';

/** What an operation waits for: a statement, or a transaction. */
export type Step =
  | { kind: 'statement'; statement: Statement; done(result: Result): void }
  /** `end` returns the outcome to the operation, once the changes are final. */
  | { kind: 'transaction'; begin(run: Run): Promise<{ failed: boolean; end(): void }> };

/** The part of Deps that is the same in every schedule. */
export type SharedDeps = Pick<Deps, 'keyRing' | 'signingKeys' | 'config' | 'logger'>;

export type SimulatedClock = { now(): Date };

/** Mails that the service queued; the newest is last. */
export type Mailed = { code: string }[];

export function simulatedDeps(
  shared: SharedDeps,
  clock: SimulatedClock,
  random: Deps['random'],
  mailed: Mailed,
  wait: (step: Step) => void,
): Deps {
  const run: Run = (statement) => new Promise((done) => wait({ kind: 'statement', statement, done }));
  const nothing = () => {};
  const deps = {
    ...shared,
    clock,
    random,
    query: ({ text, values }: { text: string; values: unknown[] }) => run({ text, values, counts: false }),
    prisma: {
      ...clientOn(run),
      $transaction: <T>(work: (tx: unknown) => Promise<T>) =>
        new Promise<T>((resolve, reject) =>
          wait({
            kind: 'transaction',
            begin: (own) =>
              work(clientOn(own)).then(
                (value) => ({ failed: false, end: () => resolve(value) }),
                (error) => ({ failed: true, end: () => reject(error) }),
              ),
          }),
        ),
    },
    accessTokens: {
      ...accessTokens({ ...shared, clock, random }),
      verify: (_app: unknown, token: string, now: Date) => {
        const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
        return claims.exp <= now.getTime() / 1_000 ? 'expired' : claims;
      },
    },
    limiter: {
      consume: nothing,
      consumeNotice: () => true,
      consumeMailToStranger: () => ({ isAllowed: true, reached: null }),
      consumeMail: () => ({ isAllowed: true, reachedTotal: false, isSlow: false, refund: nothing }),
    },
    mailer: { available: true },
    queue: {
      send(_tx: unknown, _name: string, { code }: { code: string | null }) {
        // Not a notice.
        if (code !== null) mailed.push({ code });
      },
      committed: nothing,
    },
    turns: { write: (_call: unknown, work: () => unknown) => work() },
    dailyCounters: { count: nothing, recordActivity: nothing },
    auditBuffer: { add: nothing },
  };
  return deps as unknown as Deps;
}

/** What the operations of this simulation use of Prisma. */
function clientOn(run: Run) {
  const sqlOf = (sql: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
    sql instanceof Prisma.Sql ? sql : Prisma.sql(sql, ...values);
  const raw =
    (counts: boolean) =>
    (given: TemplateStringsArray | Prisma.Sql, ...rest: unknown[]) => {
      const { text, values } = sqlOf(given, rest);
      return run({ text, values, counts });
    };
  return {
    $queryRaw: raw(false),
    $executeRaw: raw(true),
    $queryRawUnsafe: (text: string, ...values: unknown[]) => run({ text, values, counts: false }),
    secondFactor: secondFactors(run),
    code: {
      deleteMany: async ({ where }: { where: { appId: string; purpose: string; subject: string } }) => {
        const { appId, purpose, subject } = where;
        const text = 'DELETE FROM codes WHERE app_id = $1 AND purpose = $2 AND subject = $3';
        return { count: await run({ text, values: [appId, purpose, subject], counts: true }) };
      },
    },
  };
}

type FactorIds = { appId: string; uid: string };
type WhereFactor = { where: { appId_uid: FactorIds } };
type FactorColumns = Record<string, unknown>;

function secondFactors(run: Run) {
  const columnOf = (name: string) =>
    name === 'uid' ? 'user_id' : name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  const names = [
    'secret',
    'enrolledAt',
    'lastStep',
    'recoveryHashes',
    'guessTimes',
    'guessTickets',
    'usedTickets',
  ];
  const selected = names.map((name) => `${columnOf(name)} AS "${name}"`).join(', ');
  return {
    async findUnique({ where: { appId_uid: ids } }: WhereFactor) {
      const text = `SELECT ${selected} FROM second_factors WHERE app_id = $1 AND user_id = $2`;
      const [row] = (await run({ text, values: [ids.appId, ids.uid], counts: false })) as unknown[];
      return row ?? null;
    },
    async upsert({ create, update }: { create: FactorColumns; update: FactorColumns }) {
      const given = Object.keys(create);
      const changes = Object.keys(update).map((name) => `${columnOf(name)} = excluded.${columnOf(name)}`);
      const text = `INSERT INTO second_factors (${given.map(columnOf).join(', ')})
        VALUES (${given.map((_, place) => `$${place + 1}`).join(', ')})
        ON CONFLICT (app_id, user_id) DO UPDATE SET ${changes.join(', ')}`;
      await run({ text, values: Object.values(create), counts: true });
    },
    async deleteMany({ where: { appId, uid } }: { where: FactorIds }) {
      const text = 'DELETE FROM second_factors WHERE app_id = $1 AND user_id = $2';
      return { count: await run({ text, values: [appId, uid], counts: true }) };
    },
  };
}

/** The random source of a schedule. Its ids are monotonic even if the clock steps back, as in one process. */
export function scheduleRandom(chance: Chance): Deps['random'] {
  const next = monotonicFactory(() => chance.number(2 ** 32) / 2 ** 32);
  return {
    bytes(count) {
      const bytes = Buffer.alloc(count);
      for (let at = 0; at < count; at += 1) bytes[at] = chance.number(256);
      return bytes;
    },
    ulid: (now) => next(now.getTime()),
  };
}
