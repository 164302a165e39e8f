// Runs schedules in batches. `npm run simulate -- --count 100000 --seed 1` runs the seeds 1 to 100,000 (DATABASE_URL, or the
// embedded database without it); `--count 1 --seed <failing seed>` repeats one and prints what happened.
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '@foyer/prisma';
import { insertUsers } from '../../src/users/write-user.js';
import type { TestService } from '../harness.js';
import type { Step } from './process.js';
import { type Account, Schedule } from './schedule.js';
import { type Statements, statementsOn } from './statements.js';

export type SimulationResult = {
  schedules: number;
  steps: number;
  failures: { seed: number; why: string; trace: string[] }[];
};

const schedulesPerBatch = 2_000;
const maxFailures = 5;

export async function simulate(
  service: TestService,
  { seed, count }: { seed: number; count: number },
  onBatch: (done: number) => void = () => {},
): Promise<SimulationResult> {
  const result: SimulationResult = { schedules: 0, steps: 0, failures: [] };
  const accounts = await accountsOn(service, Math.min(count, schedulesPerBatch));
  // The schedules share neither rows nor time, so a batch is one transaction, undone at its end.
  await service.database.connection(async (connection) => {
    for (let from = 0; from < count && result.failures.length < maxFailures; from += schedulesPerBatch) {
      const schedules = accounts
        .slice(0, Math.min(schedulesPerBatch, count - from))
        .map((account, place) => new Schedule(seed + from + place, account, service.deps));
      await connection.script('BEGIN');
      result.steps += await runBatch(schedules, statementsOn(connection));
      await compareRows(connection, schedules);
      await connection.script('ROLLBACK');
      result.schedules += schedules.length;
      for (const { seed, failure, trace } of schedules)
        if (failure !== null) result.failures.push({ seed, why: failure, trace });
      onBatch(result.schedules);
    }
  });
  return result;
}

async function accountsOn({ deps, app: { app } }: TestService, count: number): Promise<Account[]> {
  const now = deps.clock.now();
  const accounts = Array.from({ length: count }, (_, place) => ({
    app,
    uid: deps.random.ulid(now),
    email: `simulated-${place}@example.com`,
  }));
  const row = { emailVerified: true, emailProven: true, firstName: null, lastName: null };
  const users = accounts.map(({ uid, email }) => ({
    ...row,
    id: uid,
    email,
    memberId: uid,
    createdAt: now,
    updatedAt: now,
  }));
  await insertUsers(deps.query, app.id, users);
  return accounts;
}

async function runBatch(all: Schedule[], statements: Statements): Promise<number> {
  let steps = 0;
  for (let open = all; open.length > 0; open = open.filter((schedule) => !schedule.isDone)) {
    for (const schedule of open) schedule.turn();
    // Every operation runs until it waits for a statement or has answered.
    await setImmediate();
    const next = open.flatMap((schedule) => schedule.next() ?? []);
    steps += next.length;
    await runSteps(next, statements);
    await setImmediate();
  }
  return steps;
}

async function runSteps(steps: Step[], statements: Statements): Promise<void> {
  const single = steps.flatMap((step) => (step.kind === 'statement' ? [step] : []));
  const results = await statements.run(single.map(({ statement }) => statement));
  for (const [place, step] of single.entries()) step.done(results[place] as never);
  for (const step of steps) if (step.kind === 'transaction') await step.run(statements);
}

type Row = {
  uid: string;
  sessions: unknown[] | null;
  v1: number;
  codes: number;
  events: Record<string, number> | null;
};

/** What is stored at the end, and one event for each session that started or ended. */
async function compareRows(connection: Connection, schedules: Schedule[]): Promise<void> {
  const rows = await connection.query<Row>(
    `SELECT u.id AS uid,
      (SELECT jsonb_agg(jsonb_build_array(s.id, s.generation, s.end_reason) ORDER BY s.id) FROM sessions AS s
        WHERE s.app_id = $1 AND s.user_id = u.id) AS sessions,
      (SELECT count(*)::int FROM v1_tokens AS t WHERE t.app_id = $1 AND t.user_id = u.id) AS v1,
      (SELECT count(*)::int FROM codes AS c WHERE c.app_id = $1 AND c.purpose = 'sign_in' AND c.subject = u.email) AS codes,
      (SELECT jsonb_object_agg(type, n) FROM (SELECT type, count(*) AS n FROM events AS e
        WHERE e.app_id = $1 AND e.user_id = u.id GROUP BY type) AS each) AS events
    FROM users AS u WHERE u.app_id = $1 AND u.id = ANY($2::text[])`,
    [schedules[0]?.account.app.id, schedules.map(({ account }) => account.uid)],
  );
  const stored = new Map(rows.map(({ uid, ...row }) => [uid, row]));
  for (const schedule of schedules) {
    const { sessions, v1Tokens, codes } = schedule.model;
    const ended = sessions.filter((session) => session.ended !== null).length;
    const expected = {
      sessions: sessions.map(({ id, spends, ended }) => [id, spends.length, ended]).sort(byId),
      v1: v1Tokens.size,
      codes: codes.length,
      events: {
        ...(sessions.length > 0 && { 'session.created': sessions.length }),
        ...(ended > 0 && { 'session.ended': ended }),
      },
    };
    const row = stored.get(schedule.account.uid);
    const found = {
      sessions: row?.sessions ?? [],
      v1: row?.v1,
      codes: row?.codes,
      events: Object.fromEntries(Object.entries(row?.events ?? {}).sort()),
    };
    const [right, actual] = [JSON.stringify(expected), JSON.stringify(found)];
    if (right !== actual) schedule.failure ??= `${actual} is stored; the model holds ${right}`;
  }
}

function byId(one: unknown[], other: unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}
