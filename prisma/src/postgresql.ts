// PostgreSQL: a pool of connections under Prisma, with named (prepared) statements and limits on every wait.
import { AsyncResource } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Connection, Database, OnStatement, Query, TraceStatement } from './database.js';
import { clientOptions } from './database.js';
import { PrismaClient } from './generated/client.js';
import { pipeline } from './pipeline.js';
import { type ClientConfig, PostgresqlClient } from './postgresql-client.js';
import { nameStatements } from './statement-names.js';

const defaultConnections = 10;
/** The server's limit is shorter than `queryMilliseconds`, so that the connection stays usable. */
const limits = { statement_timeout: 5_000, idle_in_transaction_session_timeout: 20_000 };
/** For a server that is gone. */
const queryMilliseconds = 7_000;
const keepAliveMilliseconds = 10_000;
const noLimits = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

type PostgresqlOptions = {
  databaseUrl: string;
  connections?: number | undefined;
  onStatement?: OnStatement | undefined;
  traceStatement?: TraceStatement | undefined;
};

export async function openPostgresql(options: PostgresqlOptions): Promise<Database> {
  const config = {
    connectionString: options.databaseUrl,
    application_name: 'foyer',
    onStatement: options.onStatement,
    traceStatement: options.traceStatement,
    // A database that is down, or a pool that is full, soon results in an error and not in a hanging call.
    connectionTimeoutMillis: 5_000,
    // Migrations and the set-up of the queue have no time limit: without the delay they would notice after two hours, as
    // Linux is set up, that the server or the network is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
  };
  let warnings: string[] = [];
  const connections = options.connections ?? defaultConnections;
  const pool = new Pool({
    ...config,
    Client: PostgresqlClient as unknown as new () => PostgresqlClient,
    pipeline: true,
    max: connections,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3_600,
    query_timeout: queryMilliseconds,
    async onConnect(client) {
      warnings = await (client as PostgresqlClient).openSession(limits);
    },
  });
  // Without a listener an idle connection that is lost would end the process; the pool replaces it.
  pool.on('error', () => {});
  const nameOf = nameStatements();
  const pipelined = pipeline(pool, { connections, tracesStatements: options.traceStatement !== undefined });
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameOf });
  const prisma = new PrismaClient({ adapter, ...clientOptions });
  // Loads Prisma's query compiler now, so that the first call does not wait for it.
  await prisma.$connect();
  return {
    prisma,
    kind: 'postgresql',
    async query<Row>({ text, values, once, isQuick }: Parameters<Query>[0]) {
      const name = once ? '' : nameOf({ sql: text });
      if (isQuick) return pipelined<Row>(name, text, values);
      return (await pool.query({ name, text, values })).rows as Row[];
    },
    connection: (work) => withConnection(new PostgresqlClient(config), work),
    async warnings() {
      (await pool.connect()).release();
      return warnings;
    },
    async close() {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}

type Callback = Parameters<pg.Pool['connect']>[0];

/** A statement that fails does not cost its connection: only an error that ends the session does. */
class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect().then(reusedIfUsable);
    // A caller who waits is called by the one who releases a connection, and would be traced as a part of that one's call.
    const ownCallback = (this.options as ClientConfig).traceStatement
      ? AsyncResource.bind(callback)
      : callback;
    super.connect((error, client, release) => {
      const reused = client && reusedIfUsable(client);
      ownCallback(error, reused, reused?.release ?? release);
    });
  }
}

function reusedIfUsable(client: pg.PoolClient): pg.PoolClient {
  const { release } = client;
  client.release = (error) => release(!(client as unknown as PostgresqlClient).isUsableAfter(error));
  return client;
}

async function withConnection<T>(
  client: PostgresqlClient,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  await client.connect();
  try {
    await client.openSession(noLimits);
    return await work({
      query: async (sql, values) => (await client.query(sql, values)).rows,
      script: async (sql) => void (await client.query(sql)),
    });
  } finally {
    await client.end();
  }
}
