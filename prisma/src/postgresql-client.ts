// One connection to PostgreSQL: what is required of a session before its first statement, and when it is not used again.
import pg from 'pg';
import type { OnStatement, TraceStatement } from './database.js';
import { PreparedStatement } from './prepared-statement.js';
import { foreignSettings, type SettingsInEffect, settingsList } from './session-settings.js';

/** A timeout in milliseconds; 0 is no limit. */
export type SessionLimits = { statement_timeout: number; idle_in_transaction_session_timeout: number };

export type ClientConfig = pg.ClientConfig & {
  onStatement?: OnStatement | undefined;
  traceStatement?: TraceStatement | undefined;
};

/** The SQLSTATE of a write on such a node, so that it counts as an unavailable database. */
class ReadOnlyNodeError extends Error {
  override name = 'ReadOnlyNodeError';
  readonly code = '25006';
}

type SessionState = SettingsInEffect & {
  [limit in keyof SessionLimits]: string;
} & {
  standby: boolean;
  read_only: boolean;
  time_zone: string;
  /** False behind a pooler, which assigns the session to others too. */
  own: boolean;
};

// The session is lost, or its server is shutting down; a transaction is still open, or the node only reads; a named
// statement is missing, exists already, or was planned for an earlier form of its table.
const endingCodes = /^(08...|57P..|25...|26000|42P05|0A000)$/;

export class PostgresqlClient extends pg.Client {
  private readonly onStatement: OnStatement | undefined;
  private readonly traceStatement: TraceStatement | undefined;
  private prepares = true;
  private isEnding = false;

  constructor(config: ClientConfig) {
    super(config);
    this.onStatement = config.onStatement;
    this.traceStatement = config.traceStatement;
    // Without a listener, a connection lost between two statements would end the process; the next statement fails anyway. The
    // listeners of the pool and of Prisma leave a gap while a connection passes to a transaction that waits for it.
    this.on('error', () => {});
  }

  /**
   * Parameters at the start of the session. Prisma reads and writes timestamps as UTC implicitly, and pg parses only the ISO
   * format. They are not in `options`, because PgBouncer keeps parameters of their own on every connection that it assigns.
   */
  getStartupConf(): Record<string, string> {
    return { ...startupParameters.call(this), TimeZone: 'UTC', DateStyle: 'ISO' };
  }

  // biome-ignore lint/suspicious/noExplicitAny: `query` has six signatures, and all are passed on as they came.
  override query(...args: any[]): any {
    const [statement] = args;
    const text = typeof statement === 'string' ? statement : statement.text;
    this.onStatement?.(text);
    if (!this.prepares && statement instanceof PreparedStatement) statement.name = '';
    else if (!this.prepares && statement.name) args[0] = { ...statement, name: '' };
    const ended = this.traceStatement?.(text);
    const callback = args.at(-1);
    if (ended && typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => {
        ended(error);
        callback(error, result);
      };
    }
    const result = Reflect.apply(super.query, this, args);
    if (result instanceof Promise) {
      result.catch((error) => this.isUsableAfter(error));
      if (ended) result.then(() => ended(), ended);
    }
    return result;
  }

  /**
   * Rejects if the service cannot work on this session, and sets its time limits and what its statements rely on. Behind a pooler
   * these are those of the role, since a setting would remain on a connection that others use too; returns what the operator
   * should change there.
   */
  async openSession(limits: SessionLimits): Promise<string[]> {
    const { processID } = this as unknown as { processID: number };
    const state = await this.row<SessionState>({ text: sessionState }, [
      processID,
      limits.statement_timeout,
      limits.idle_in_transaction_session_timeout,
    ]);
    if (state.standby) {
      throw new ReadOnlyNodeError(
        'the PostgreSQL server is a standby: DATABASE_URL must lead to the primary',
      );
    }
    if (state.read_only) {
      throw new ReadOnlyNodeError(
        'the PostgreSQL server, its database or the role is read-only: default_transaction_read_only must be off',
      );
    }
    if (!/^(Etc\/)?(UTC|GMT)$/.test(state.time_zone)) {
      throw new Error(
        `the time zone of the database connection is ${state.time_zone} and must be UTC, but the connection pooler ignores ` +
          `the parameter TimeZone; run ALTER ROLE "${this.user}" SET timezone = 'UTC'`,
      );
    }
    if (state.own) return [];
    const { refused, warned } = foreignSettings(state, this.user);
    if (refused.length > 0) throw new Error(refused.join('; '));
    // A pooler that supports named statements gives them names of its own; otherwise no other client may use the name.
    const name = `foyer_${processID}`;
    const { passed_on } = await this.row<{ passed_on: boolean }>({ name, text: isPassedOn }, [name]);
    this.prepares = !passed_on;
    const missing = (Object.keys(limits) as (keyof SessionLimits)[]).filter(
      (limit) => limits[limit] > 0 && state[limit] === '0',
    );
    const warnings = missing.map(
      (limit) =>
        `behind the connection pooler there is no ${limit}; run ALTER ROLE "${this.user}" SET ${limit} = ` +
        `'${limits[limit]}ms'`,
    );
    return [...warnings, ...warned, ...(passed_on ? [unprepared] : [])];
  }

  /** False if the session must be closed after this or an earlier error. */
  isUsableAfter(error: unknown): boolean {
    if (error) this.isEnding ||= !(error instanceof pg.DatabaseError) || endsSession(error);
    return !this.isEnding;
  }

  /** These statements are not reported, because they are not of the service. */
  private async row<Row>(statement: { name?: string; text: string }, values: unknown[]): Promise<Row> {
    const { rows } = await super.query({ ...statement, values });
    return rows[0] as Row;
  }
}

/** The severity is in the language of the server, which ends the session itself after other words for FATAL and PANIC. */
function endsSession({ severity, code }: pg.DatabaseError): boolean {
  return /^(FATAL|PANIC)/.test(severity ?? '') || endingCodes.test(code ?? '');
}

const startupParameters: () => Record<string, string> = Reflect.get(pg.Client.prototype, 'getStartupConf');

// The process id that the client received at the start of the session is not that of the server process behind a pooler.
const sessionState = `SELECT s.own, pg_is_in_recovery() AS standby,
    current_setting('transaction_read_only')::boolean AS read_only, current_setting('TimeZone') AS time_zone,
    CASE WHEN s.own THEN set_config('statement_timeout', $2, false)
      ELSE current_setting('statement_timeout') END AS statement_timeout,
    CASE WHEN s.own THEN set_config('idle_in_transaction_session_timeout', $3, false)
      ELSE current_setting('idle_in_transaction_session_timeout') END AS idle_in_transaction_session_timeout,
    ${settingsList('s.own')}, current_schema() AS schema
  FROM (SELECT pg_backend_pid() = $1::int AS own) AS s`;

const unprepared =
  'the connection pooler does not support prepared statements, so PostgreSQL plans each statement every time; in PgBouncer ' +
  '1.21 or newer set max_prepared_statements = 500';

const isPassedOn = 'SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS passed_on';
