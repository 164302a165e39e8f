// PostgreSQL: a pool of connections under Prisma, with named (prepared) statements and limits on every wait.
import { PrismaPg } from '@prisma/adapter-pg';
import type { Connection, Database, OnStatement, Query, TraceStatement } from './database.js';
import { clientOptions } from './database.js';
import { PrismaClient } from './generated/client.js';
import { pipeline } from './pipeline.js';
import { isTooManyConnections, Pool } from './pool.js';
import { type ClientConfig, PostgresqlClient } from './postgresql-client.js';
import { tableSchema } from './session-settings.js';
import { nameStatements } from './statement-names.js';

const defaultConnections = 10;
/** The server's limit is shorter than `queryMilliseconds`, so that the connection stays usable. */
const limits = { statement_timeout: 5_000, idle_in_transaction_session_timeout: 20_000 };
/** The limit of a query to a server that is gone. */
const queryMilliseconds = 7_000;
const connectMilliseconds = 5_000;
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
    connectionString: withVerifiedTls(options.databaseUrl),
    application_name: 'foyer',
    onStatement: options.onStatement,
    traceStatement: options.traceStatement,
    // A database that is down, or a pool that is full, soon results in an error and not in a hanging call.
    connectionTimeoutMillis: connectMilliseconds,
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
  const adapter = new PrismaPg(pool, { schema: tableSchema, statementNameGenerator: nameOf });
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
    connection: (work) => withConnection(pool, config, work),
    async warnings() {
      const { rows } = await pool.query<FoundAtStart>(foundAtStart);
      return [...warnings, ...warningsOf(rows[0]!, connections)];
    },
    async close() {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * pg takes these modes for `verify-full`, warns of each at every start, and announces a release in which they verify less. With
 * `uselibpqcompat=true` they mean what they mean to psql. `sslrootcert=system`, as hosts of PostgreSQL write it, names no file but
 * the public authorities, which are the default, and implies `verify-full`.
 */
export function withVerifiedTls(databaseUrl: string): string {
  const url = databaseUrl.replace(/([?&])sslrootcert=system(?=&|$)/g, '$1sslmode=verify-full');
  if (url === databaseUrl && /[?&]uselibpqcompat=true(&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(allow|prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}

/** With a set of our tables that an earlier release may have made there, where the search path led to it. */
const foundAtStart = `SELECT current_setting('synchronous_commit') AS synchronous,
    (SELECT least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1), current_setting('max_connections')::int)
      FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database()) AS most,
    ARRAY(SELECT relnamespace::regnamespace::text FROM pg_class
      WHERE relname IN ('_prisma_migrations', 'apps', 'signing_keys', 'v1_tokens') AND relkind IN ('r', 'p')
        AND relnamespace <> '${tableSchema}'::regnamespace
      GROUP BY relnamespace HAVING count(*) = 4 ORDER BY 1) AS elsewhere,
    ARRAY(SELECT DISTINCT coalesce(rolname, 'PUBLIC')::text FROM pg_class
      CROSS JOIN aclexplode(relacl) AS acl LEFT JOIN pg_roles ON pg_roles.oid = grantee
      WHERE relnamespace = '${tableSchema}'::regnamespace AND relname IN ('users', 'sessions', 'apps')
        AND (grantee = 0 OR rolname IN ('anon', 'authenticated')) ORDER BY 1) AS open`;

type FoundAtStart = { synchronous: string; most: number; elsewhere: string[]; open: string[] };

function warningsOf({ synchronous, most, elsewhere, open }: FoundAtStart, connections: number): string[] {
  const warnings = elsewhere.map(
    (schema) =>
      `the schema ${schema} holds tables of Foyer too, and only those of the schema ${tableSchema} are used; look for rows that ` +
      'are missing here, then drop it',
  );
  // Hosts that serve a database over HTTP, such as Supabase, give these roles of PostgREST every new table by default: whoever has the
  // public key of the project then reads password hashes.
  if (open.length > 0) {
    const roles = open.join(', ');
    warnings.push(
      `${roles} may use the tables of Foyer, so others may read them, perhaps over HTTP: run REVOKE ALL ON ALL TABLES IN SCHEMA ` +
        `${tableSchema} FROM ${roles} and ALTER DEFAULT PRIVILEGES IN SCHEMA ${tableSchema} REVOKE ALL ON TABLES FROM ${roles}, each as ` +
        'the owner of the tables',
    );
  }
  if (synchronous === 'off') {
    warnings.push(
      'synchronous_commit is off: if PostgreSQL crashes, changes are lost that were acknowledged, such as a password or a refresh',
    );
  }
  // One more, for what the queue does beside the pool.
  if (most <= connections) {
    warnings.push(
      `DATABASE_CONNECTIONS is ${connections}, and PostgreSQL allows ${most} connections: calls wait for those; raise the limit ` +
        'of the role or the database, or lower DATABASE_CONNECTIONS',
    );
  }
  return warnings;
}

async function withConnection<T>(
  pool: Pool,
  config: ClientConfig,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await connectBeside(pool, config);
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

/** If the pool has all connections that the role may have, it gives up one. */
async function connectBeside(pool: Pool, config: ClientConfig): Promise<PostgresqlClient> {
  const startedAt = performance.now();
  for (;;) {
    const client = new PostgresqlClient(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      const isPatient = performance.now() - startedAt < connectMilliseconds;
      if (!isTooManyConnections(error) || !isPatient || pool.ending) throw error;
      await pool.giveUpConnection(error);
    }
  }
}
