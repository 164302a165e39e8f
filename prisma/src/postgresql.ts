// PostgreSQL: a pool of connections under Prisma, with named (prepared) statements and limits on every wait.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Connection, Database, OnStatement, Query } from './database.js';
import { clientOptions } from './database.js';
import { PrismaClient } from './generated/client.js';
import { nameStatements } from './statement-names.js';

const defaultConnections = 10;

type PostgresqlOptions = {
  databaseUrl: string;
  connections?: number | undefined;
  onStatement?: OnStatement | undefined;
};

export async function openPostgresql(options: PostgresqlOptions): Promise<Database> {
  const Client = options.onStatement ? reportingClient(options.onStatement) : pg.Client;
  const config = {
    ...sessionConfig(options.databaseUrl),
    // A database that is down, or a pool that is full, soon results in an error and not in a hanging call.
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...config,
    Client,
    max: options.connections ?? defaultConnections,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3_600,
    // The server's limit is shorter, so that the connection stays usable; the client's own is for a server that is
    // gone.
    statement_timeout: 5_000,
    query_timeout: 7_000,
    idle_in_transaction_session_timeout: 20_000,
  });
  // Without a listener an idle connection that is lost would end the process; the pool replaces it.
  pool.on('error', () => {});
  const nameOf = nameStatements();
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameOf });
  const prisma = new PrismaClient({ adapter, ...clientOptions });
  // Loads Prisma's query compiler now, so that the first call does not wait for it.
  await prisma.$connect();
  return {
    prisma,
    kind: 'postgresql',
    query: async <Row>({ text, values, once }: Parameters<Query>[0]) =>
      (await pool.query({ name: once ? '' : nameOf({ sql: text }), text, values })).rows as Row[],
    connection: (work) => withConnection(new Client(config), work),
    async close() {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}

/** Prisma reads and writes timestamps as UTC implicitly, so every session must be in UTC. */
function sessionConfig(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl);
  const options = [url.searchParams.get('options'), '-c TimeZone=UTC'].filter(Boolean).join(' ');
  url.searchParams.set('options', options);
  return { connectionString: url.toString(), application_name: 'foyer' };
}

async function withConnection<T>(
  client: pg.Client,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // Without a listener a connection lost between two statements would end the process; the next statement fails anyway.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work({
      query: async (sql, values) => (await client.query(sql, values)).rows,
      script: async (sql) => void (await client.query(sql)),
    });
  } finally {
    await client.end();
  }
}

function reportingClient(onStatement: OnStatement): typeof pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: `query` has six signatures, and all are passed on as they came.
    override query(...args: any[]): any {
      onStatement(typeof args[0] === 'string' ? args[0] : args[0].text);
      return Reflect.apply(super.query, this, args);
    }
  };
}
