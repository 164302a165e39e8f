// Sends up to eight statements at a time over one connection, in pg's pipeline mode, when there are more of them than connections.
// Each is a transaction of its own. Writing to the socket and waking the database cost more than reading or changing one row.
import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { PostgresqlClient } from './postgresql-client.js';
import { PreparedStatement } from './prepared-statement.js';

type Client = PostgresqlClient & pg.PoolClient;

type Waiting = {
  statement: PreparedStatement;
  resolve(): void;
  reject(error: unknown): void;
  /** Sends in the asynchronous context of the caller. */
  run(send: () => void): void;
};

type LendingPool = pg.Pool & { lend(): Promise<pg.PoolClient> };

type PipelineOptions = { connections: number; tracesStatements: boolean };

/** Few, because a statement waits for all that are sent before it. */
const maxTogether = 8;

export function pipeline(pool: LendingPool, { connections, tracesStatements }: PipelineOptions) {
  const waiting: Waiting[] = [];
  /** Statements, waiting ones included. */
  let unanswered = 0;
  /**
   * Connections that the pool has not provided yet. Each takes its share of what is waiting then, or rejects it, the last one all:
   * no statement waits for a second connection to be opened.
   */
  let asked = 0;

  /** Spread over all connections, because they commit concurrently. */
  const together = () => Math.min(maxTogether, Math.ceil(unanswered / connections));

  function needsConnection(): boolean {
    if (asked * together() < waiting.length) return true;
    // One that is being opened may hang while another is idle.
    const providedNow = Math.min(asked, pool.waitingCount);
    return pool.idleCount > pool.waitingCount && providedNow * together() < waiting.length;
  }

  function askForConnections(): void {
    while (needsConnection()) {
      asked += 1;
      connect().then(
        (client) => sendTogether(client, takeShare(), () => release(client)),
        (error) => {
          for (const { reject } of takeShare()) reject(error);
        },
      );
    }
  }

  function release(client: Client): void {
    client.release();
    askForConnections();
  }

  /** Rejects too where the pool throws, as when the file of a certificate is missing. */
  const connect = async () => (await pool.lend()) as unknown as Client;

  function takeShare(): Waiting[] {
    const share = waiting.splice(0, Math.ceil(waiting.length / asked));
    asked -= 1;
    return share;
  }

  return async <Row>(name: string, text: string, values: unknown[]): Promise<Row[]> => {
    const statement = new PreparedStatement(name, text, values);
    unanswered += 1;
    try {
      await new Promise<void>((resolve, reject) => {
        const run = (send: () => void) => send();
        waiting.push({ statement, resolve, reject, run: tracesStatements ? AsyncResource.bind(run) : run });
        askForConnections();
      });
      return statement.parsedRows() as Row[];
    } finally {
      unanswered -= 1;
    }
  };
}

function sendTogether(client: Client, statements: Waiting[], release: () => void): void {
  if (statements.length === 0) {
    release();
    return;
  }
  let unanswered = statements.length;
  const { stream } = client.connection;
  stream.cork();
  for (const { statement, resolve, reject, run } of statements) {
    const ended = (error: Error | null) => {
      client.isUsableAfter(error);
      unanswered -= 1;
      if (unanswered === 0) release();
      if (error) reject(error);
      else resolve();
    };
    try {
      run(() => client.query(statement, ended));
    } catch (error) {
      ended(error as Error);
    }
  }
  stream.uncork();
}
