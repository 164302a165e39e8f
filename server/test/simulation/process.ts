// One simulated process of the service: the dependencies of its operations, on a clock, a random source and a scheduler of
// the schedule's own. An operation waits at each statement until the scheduler lets it go on, or ends it there for ever, as
// a crash would. A transaction is one step: the database runs those of one account one after the other.
import { Prisma } from '@foyer/prisma';
import { monotonicFactory } from 'ulid';
import type { Deps } from '../../src/deps.js';
import type { Chance } from '../bad-values.js';
import type { Result, Statement, Statements } from './statements.js';

/** What an operation waits for: a statement, or a transaction, which runs by itself. */
export type Step =
  | { kind: 'statement'; statement: Statement; done(result: Result): void }
  | { kind: 'transaction'; run(statements: Statements): Promise<void> };

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
  const statement = (text: string, values: readonly unknown[], counts: boolean) =>
    new Promise<Result>((done) => wait({ kind: 'statement', statement: { text, values, counts }, done }));
  const nothing = () => {};
  const deps = {
    ...shared,
    clock,
    random,
    query: ({ text, values }: { text: string; values: unknown[] }) => statement(text, values, false),
    prisma: {
      ...clientOn(statement),
      $transaction: <T>(work: (tx: unknown) => Promise<T>) =>
        new Promise<T>((resolve, reject) =>
          wait({
            kind: 'transaction',
            run: (statements) => inTransaction(statements, work).then(resolve, reject),
          }),
        ),
    },
    verifyAccessToken: (_app: unknown, token: string, now: Date) => {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
      return claims.exp <= now.getTime() / 1_000 ? 'expired' : claims;
    },
    limiter: { consume: nothing, consumeMail: () => ({ isAllowed: true, reachedTotal: false }) },
    mailer: { available: true },
    queue: {
      send: (_tx: unknown, _name: string, job: { code: string }) => void mailed.push(job),
      wake: nothing,
    },
    dailyCounters: { count: nothing, recordActivity: nothing },
    auditBuffer: { add: nothing },
  };
  return deps as unknown as Deps;
}

/** Rolled back when `work` fails. */
async function inTransaction<T>(statements: Statements, work: (tx: unknown) => Promise<T>): Promise<T> {
  await statements.script('SAVEPOINT schedule');
  try {
    const run = async (text: string, values: readonly unknown[], counts: boolean) => {
      const [result] = await statements.run([{ text, values, counts }]);
      return result as Result;
    };
    return await work(clientOn(run));
  } catch (error) {
    await statements.script('ROLLBACK TO SAVEPOINT schedule');
    throw error;
  } finally {
    await statements.script('RELEASE SAVEPOINT schedule');
  }
}

type Run = (text: string, values: readonly unknown[], counts: boolean) => Promise<Result>;

/** What the operations of this simulation use of Prisma. */
function clientOn(run: Run) {
  const sqlOf = (sql: TemplateStringsArray | Prisma.Sql, values: unknown[]) =>
    sql instanceof Prisma.Sql ? sql : Prisma.sql(sql, ...values);
  const raw =
    (counts: boolean) =>
    (given: TemplateStringsArray | Prisma.Sql, ...rest: unknown[]) => {
      const { text, values } = sqlOf(given, rest);
      return run(text, values, counts);
    };
  return {
    $queryRaw: raw(false),
    $executeRaw: raw(true),
    $queryRawUnsafe: (text: string, ...values: unknown[]) => run(text, values, false),
    code: {
      deleteMany: async ({ where }: { where: { appId: string; purpose: string; subject: string } }) => {
        const { appId, purpose, subject } = where;
        const text = 'DELETE FROM codes WHERE app_id = $1 AND purpose = $2 AND subject = $3';
        return { count: await run(text, [appId, purpose, subject], true) };
      },
    },
  };
}

/** The random source of a schedule. Its ids are monotonic even if the clock steps back, as in one process. */
export function scheduleRandom(chance: Chance): Deps['random'] {
  const next = monotonicFactory(() => chance.number(2 ** 32) / 2 ** 32);
  return {
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => chance.number(256))),
    ulid: (now) => next(now.getTime()),
  };
}
