// Runs schedules in batches, on DATABASE_URL, or the embedded database without it.
import { setImmediate } from 'node:timers/promises';
import type { Connection } from '@foyer/prisma';
import { insertUsers } from '../../src/accounts/write-user.js';
import type { TestService } from '../../test/harness.js';
import type { SharedDeps } from './process.js';
import { runSteps } from './run-steps.js';
import { type Account, Schedule } from './schedule.js';
import { type Statements, statementsOn } from './statements.js';

export type SimulationResult = {
  schedules: number;
  steps: number;
  failures: { seed: number; why: string }[];
};

const schedulesPerBatch = 2_000;
const maxFailures = 5;

export async function simulate(
  service: TestService,
  { seed, count, trace }: { seed: number; count: number; trace?: string[] | undefined },
  onBatch: (done: number) => unknown = () => {},
): Promise<SimulationResult> {
  const result: SimulationResult = { schedules: 0, steps: 0, failures: [] };
  const shared = withFastKeys(service.deps);
  const accounts = await accountsOn(service, Math.min(count, schedulesPerBatch));
  // The schedules share neither rows nor time, so a batch is one transaction, undone at its end.
  await service.database.connection(async (connection) => {
    for (let from = 0; from < count && result.failures.length < maxFailures; from += schedulesPerBatch) {
      const schedules = accounts
        .slice(0, Math.min(schedulesPerBatch, count - from))
        .map((account, place) => new Schedule(seed + from + place, account, shared, trace));
      await connection.script(await preparedTransaction(connection));
      result.steps += await runBatch(schedules, statementsOn(connection));
      await compareRows(connection, schedules);
      await connection.script('ROLLBACK');
      result.schedules += schedules.length;
      for (const { seed, failure } of schedules)
        if (failure !== null) result.failures.push({ seed, why: failure });
      onBatch(result.schedules);
    }
  });
  return result;
}

/** Each in an app of its own: however the database reads a table by app, it finds the rows of one schedule. */
async function accountsOn({ database, deps, app: { app } }: TestService, count: number): Promise<Account[]> {
  const now = deps.clock.now();
  const accounts = Array.from({ length: count }, (_, place) => ({
    app: {
      ...app,
      id: deps.random.ulid(now),
      settings: { ...app.settings, second_factor: 'optional' as const },
    },
    uid: deps.random.ulid(now),
    email: `simulated-${place}@example.com`,
  }));
  const [first] = accounts as [Account];
  const row = { uid: first.uid, email: first.email, emailVerified: true, emailProven: true };
  const more = { firstName: null, lastName: null, memberId: first.uid, createdAt: now, updatedAt: now };
  await insertUsers(deps.query, app.id, [{ ...row, ...more }]);
  await database.connection(async ({ query }) => {
    const copies = (table: string, id: string, changes: string) =>
      query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, ${changes})).* FROM ${table} AS t,
          jsonb_to_recordset($2::jsonb) AS n (app text, uid text, email text) WHERE t.id = $1`,
        [id, JSON.stringify(accounts.map(({ app, ...account }) => ({ app: app.id, ...account })))],
      );
    await copies('apps', app.id, "jsonb_build_object('id', n.app, 'slug', n.app, 'app_key', n.app)");
    await copies(
      'users',
      first.uid,
      "jsonb_build_object('app_id', n.app, 'id', n.uid, 'email', n.email, 'member_id', n.uid)",
    );
  });
  return accounts;
}

/**
 * Each account has an app of its own, so unique indexes, which begin with the app, find its few rows; the others only cost.
 * A plan is made once, without statistics.
 */
async function preparedTransaction(connection: Connection): Promise<string> {
  const [row] = await connection.query<{ names: string }>(
    `SELECT string_agg(indexrelid::regclass::text, ', ') AS names FROM pg_index JOIN pg_class ON oid = indrelid
      WHERE relname = ANY($1) AND NOT indisunique`,
    [['users', 'sessions', 'v1_tokens', 'codes', 'events', 'audit_log']],
  );
  return `BEGIN; DROP INDEX ${row?.names};
    SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off; SET LOCAL jit = off`;
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

/** The service holds a thousand derived keys; a batch has more apps. */
function withFastKeys(deps: TestService['deps']): SharedDeps {
  const derived = new Map<string, Buffer>();
  const derive = (keyId: number, purpose: string) => {
    const name = `${keyId} ${purpose}`;
    const key = derived.get(name) ?? deps.keyRing.derive(keyId, purpose);
    derived.set(name, key);
    return key;
  };
  return { ...deps, keyRing: { ...deps.keyRing, derive } };
}

type Row = {
  uid: string;
  sessions: unknown[] | null;
  v1: number;
  codes: number;
  factor: [lastStep: number, recoveryCodes: number, guesses: number, usedTickets: number] | null;
  events: Record<string, number> | null;
};

/** What is stored at the end, and one event for each session that started or ended and each factor. */
async function compareRows(connection: Connection, schedules: Schedule[]): Promise<void> {
  const rows = await connection.query<Row>(
    `SELECT u.id AS uid,
      (SELECT jsonb_agg(jsonb_build_array(s.id, s.generation, s.end_reason) ORDER BY s.id) FROM sessions AS s
        WHERE s.app_id = u.app_id AND s.user_id = u.id) AS sessions,
      (SELECT count(*)::int FROM v1_tokens AS t WHERE t.app_id = u.app_id AND t.user_id = u.id) AS v1,
      (SELECT count(*)::int FROM codes AS c WHERE c.app_id = u.app_id AND c.purpose = 'sign_in' AND c.subject = u.email) AS codes,
      (SELECT jsonb_build_array(f.last_step, cardinality(f.recovery_hashes), cardinality(f.guess_times),
        cardinality(f.used_tickets)) FROM second_factors AS f WHERE f.app_id = u.app_id AND f.user_id = u.id) AS factor,
      (SELECT jsonb_object_agg(type, n) FROM (SELECT type, count(*) AS n FROM events AS e
        WHERE e.app_id = u.app_id AND e.user_id = u.id GROUP BY type) AS each) AS events
    FROM users AS u WHERE u.app_id = ANY($1::text[])`,
    [schedules.map(({ account }) => account.app.id)],
  );
  const stored = new Map(rows.map(({ uid, ...row }) => [uid, row]));
  for (const schedule of schedules) {
    const { sessions, v1Tokens, codes, factor, enrolments, removals } = schedule.model;
    const ended = sessions.filter((session) => session.ended !== null).length;
    const expected = {
      sessions: sessions.map(({ id, spends, ended }) => [id, spends.length, ended]).sort(byId),
      v1: v1Tokens.size,
      codes: codes.length,
      factor: factor && [
        factor.lastStep,
        factor.recoveryCodes.length,
        factor.guesses.length,
        factor.usedTickets.length,
      ],
      events: {
        ...(sessions.length > 0 && { 'session.created': sessions.length }),
        ...(ended > 0 && { 'session.ended': ended }),
        ...(enrolments > 0 && { 'user.second_factor_enrolled': enrolments }),
        ...(removals > 0 && { 'user.second_factor_removed': removals }),
      },
    };
    const row = stored.get(schedule.account.uid);
    const found = {
      sessions: row?.sessions ?? [],
      v1: row?.v1,
      codes: row?.codes,
      factor: row?.factor ?? null,
      events: Object.fromEntries(Object.entries(row?.events ?? {}).sort()),
    };
    const [right, actual] = [JSON.stringify(expected), JSON.stringify(found)];
    if (right !== actual) schedule.failure ??= `${actual} is stored; the model holds ${right}`;
  }
}

function byId(one: unknown[], other: unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}
