// Sends statements that are more than the connections several at a time, in pg's pipeline mode. Each is a transaction of its own.
// To write to the socket and to wake the database costs more than a statement that reads or changes one row.
import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { PostgresqlClient } from './postgresql-client.js';
import { PreparedStatement } from './prepared-statement.js';

type Client = PostgresqlClient & pg.PoolClient;

type Waiting = {
  statement: PreparedStatement;
  resolve(): void;
  reject(error: unknown): void;
  /** In the asynchronous context of the caller. */
  run(send: () => void): void;
};

type PipelineOptions = { connections: number; tracesStatements: boolean };

/** A statement waits for those that are sent before it. */
const maxTogether = 8;

export function pipeline(pool: pg.Pool, { connections, tracesStatements }: PipelineOptions) {
  const waiting: Waiting[] = [];
  let unanswered = 0;
  let asked = 0;

  /** Spread over all connections, because they commit concurrently. */
  const together = () => Math.min(maxTogether, Math.ceil(unanswered / connections));

  function askForConnections(): void {
    while (asked * together() < waiting.length) {
      asked += 1;
      connect()
        .then(
          (client) => sendTogether(client, takeShare()),
          (error) => {
            for (const { reject } of takeShare()) reject(error);
          },
        )
        .then(askForConnections);
    }
  }

  /** Rejects too where the pool throws, as when the file of a certificate is missing. */
  const connect = async () => (await pool.connect()) as unknown as Client;

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

function sendTogether(client: Client, statements: Waiting[]): void {
  let unanswered = statements.length;
  const { stream } = client.connection;
  stream.cork();
  for (const { statement, resolve, reject, run } of statements) {
    const ended = (error: Error | null) => {
      client.isUsableAfter(error);
      unanswered -= 1;
      if (unanswered === 0) client.release();
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
