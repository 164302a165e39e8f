// The pool of connections. A statement that fails does not cost its connection, and a server, database or role that allows
// fewer connections than the pool may open costs waiting and no calls.
import { AsyncResource } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ClientConfig, PostgresqlClient } from './postgresql-client.js';
import { limitTransactions } from './transaction-limit.js';

type Callback = Parameters<pg.Pool['connect']>[0];

/** How long the pool opens no more connections than it had when one was refused. */
const refusedMilliseconds = 10_000;
/** The pause between two attempts while the pool has no connection. */
const pauseMilliseconds = 200;
/** The pause after a connection was closed; the server counts it until its process has ended. */
const closingMilliseconds = 50;

export class Pool extends pg.Pool {
  private readonly maxConnections = this.options.max;
  private refusal: NodeJS.Timeout | undefined;
  private readonly lendForTransaction = limitTransactions(
    () => this.lend(),
    this.options.max,
    this.options.connectionTimeoutMillis ?? 0,
  );

  /** Prisma is the only caller without a callback, for the statements of a transaction. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.lendForTransaction();
    // A caller who waits is called by the one who releases a connection, and would be traced as a part of that one's call.
    const { traceStatement } = this.options as ClientConfig;
    this.connectPatiently(traceStatement ? AsyncResource.bind(callback) : callback);
    return undefined;
  }

  /** A connection for single statements. */
  lend(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.connectPatiently((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  /**
   * Makes room for a connection beside the pool, for as long as it may be refused. Rejects with `refused` where the pool has
   * none to give.
   */
  async giveUpConnection(refused: unknown): Promise<void> {
    this.limitConnections();
    if (this.totalCount > 0) {
      const client = await this.lend();
      client.release(refused as Error);
      this.limitConnections();
    }
    await sleep(closingMilliseconds);
  }

  override end(): Promise<void> {
    clearTimeout(this.refusal);
    return super.end();
  }

  /** One that was refused waits for another to become free, for the time that it would have waited in a full pool. */
  private connectPatiently(callback: Callback): void {
    const startedAt = performance.now();
    const attempt = () =>
      super.connect((error, client, release) => {
        if (client) {
          const reused = reusedIfUsable(client);
          return callback(undefined, reused, reused.release);
        }
        const patience = this.options.connectionTimeoutMillis ?? 0;
        const isPatient = performance.now() - startedAt < patience && !this.ending;
        if (!isTooManyConnections(error) || !isPatient) return callback(error, client, release);
        this.limitConnections();
        if (this.totalCount > 0) attempt();
        else setTimeout(attempt, pauseMilliseconds);
      });
    attempt();
  }

  private limitConnections(): void {
    this.options.max = Math.max(1, Math.min(this.options.max, this.totalCount));
    clearTimeout(this.refusal);
    this.refusal = setTimeout(() => {
      this.options.max = this.maxConnections;
    }, refusedMilliseconds).unref();
  }
}

/** The role, the database, the server or the pooler has reached its limit of connections. PgBouncer and Supavisor have no code for it. */
export function isTooManyConnections(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === '53300' || /max_client_conn|max client(s| connections) reached/i.test(String(message));
}

/** The connection is closed only after an error that ends the session. */
function reusedIfUsable(client: pg.PoolClient): pg.PoolClient {
  const { release } = client;
  client.release = (error) => release(!(client as unknown as PostgresqlClient).isUsableAfter(error));
  return client;
}
