// Whether a PostgreSQL database is one that Foyer can migrate and use: everything is checked before the first migration, because
// PostgreSQL's own error would come after half of them and name neither the cause nor the remedy.
import type { Connection } from './database.js';
import { type DatabaseFacts, readFacts } from './database-facts.js';
import type { Migration } from './migration-files.js';
import { tableSchema } from './session-settings.js';

export const minVersion = 15;
/** The version of the schema of pg-boss 10, which the service contains. */
const bossVersion = 24;

/** One sentence with its remedy for each thing that must change first; none if the database can be used. */
export async function problemsOf(connection: Connection, migrations: Migration[]): Promise<string[]> {
  const [server] = await connection.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  if (server && server.number < minVersion * 10_000) {
    return [`PostgreSQL ${server.version} is too old: upgrade the server to ${minVersion} or newer.`];
  }
  return databaseProblems(await readFacts(connection, migrations), migrations);
}

export function databaseProblems(facts: DatabaseFacts, migrations: Migration[]): string[] {
  const ownership = ownershipProblem(facts, migrations);
  // Privileges on what belongs to another application are not worth asking for.
  if (ownership) return [...encodingProblems(facts), ownership];
  return [
    ...encodingProblems(facts),
    ...enforcementProblems(facts),
    ...schemaProblems(facts, migrations),
    ...tableProblems(facts, migrations),
    ...queueProblems(facts, migrations),
  ];
}

function encodingProblems({ encoding, icu }: DatabaseFacts): string[] {
  const problems: string[] = [];
  if (encoding !== 'UTF8') {
    problems.push(
      `The encoding of the database is ${encoding} and must be UTF8: create another one with CREATE DATABASE foyer ` +
        "ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0, and change DATABASE_URL.",
    );
  }
  if (!icu) {
    problems.push(
      'The PostgreSQL server lacks the ICU collations (und-x-icu): use one that was built with ICU, as all common packages are.',
    );
  }
  return problems;
}

/** Only a superuser may change the setting, so that a session cannot set it for itself. */
function enforcementProblems({ enforces, role }: DatabaseFacts): string[] {
  if (enforces) return [];
  return [
    'session_replication_role is replica, so that PostgreSQL checks no foreign keys and leaves rows of deleted accounts behind: ' +
      `run ALTER ROLE "${role}" SET session_replication_role = 'origin' as a superuser.`,
  ];
}

/** The tables are in another schema, or those that are here belong to something else. */
function ownershipProblem(facts: DatabaseFacts, migrations: Migration[]): string | null {
  const { applied, tables, elsewhere, database } = facts;
  if (applied?.some(({ name }) => migrations.some((migration) => migration.name === name))) return null;
  // It is there, and may not be read.
  if (!applied && tables.includes('_prisma_migrations')) return null;
  if (applied && applied.length > 0) {
    return (
      `The schema ${tableSchema} of the database ${database} holds the migrations of another application ` +
      `(${applied[0]?.name}): create a database for Foyer alone, and change DATABASE_URL.`
    );
  }
  if (elsewhere.length > 0) {
    return (
      `The tables of Foyer are in the schema ${elsewhere.join(', ')} of the database ${database}, and Foyer uses only the ` +
      `schema ${tableSchema}: move each with ALTER TABLE "${elsewhere[0]}".… SET SCHEMA ${tableSchema}, or change DATABASE_URL.`
    );
  }
  if (tables.length > 0) {
    return (
      `The schema ${tableSchema} of the database ${database} already holds other tables named ${listed(tables)}: create a ` +
      'database for Foyer alone, and change DATABASE_URL.'
    );
  }
  return null;
}

function schemaProblems(facts: DatabaseFacts, migrations: Migration[]): string[] {
  const { role, database, schema } = facts;
  if (!schema) {
    return [
      `The database ${database} has no schema ${tableSchema}: run CREATE SCHEMA ${tableSchema} AUTHORIZATION "${role}".`,
    ];
  }
  const missing = [
    ...(schema.usage ? [] : ['USAGE']),
    ...(isMissingSome(facts, migrations) && !schema.create ? ['CREATE'] : []),
  ];
  if (missing.length === 0) return [];
  return [
    `The role ${role} may not ${schema.usage ? 'create tables in' : 'use'} the schema ${tableSchema} of the database ` +
      `${database}: run GRANT ${missing.join(', ')} ON SCHEMA ${tableSchema} TO "${role}" there, as its owner.`,
  ];
}

function tableProblems(facts: DatabaseFacts, migrations: Migration[]): string[] {
  const { role, forbidden, foreign, filtered } = facts;
  const problems: string[] = [];
  if (isMissingSome(facts, migrations) && foreign.length > 0) {
    problems.push(
      `The role ${role} does not own the tables ${listed(foreign)}, which the migrations may change: run ALTER TABLE … OWNER ` +
        `TO "${role}" for each, or start with the role that owns them.`,
    );
  } else if (forbidden.length > 0) {
    problems.push(
      `The role ${role} may not read and write the tables ${listed(forbidden)}: run GRANT SELECT, INSERT, UPDATE, DELETE ON ` +
        `ALL TABLES IN SCHEMA ${tableSchema} TO "${role}", or start with the role that owns them.`,
    );
  }
  if (filtered.length > 0) {
    problems.push(
      `Row-level security hides rows of the tables ${listed(filtered)} from the role ${role}: run ALTER TABLE … DISABLE ROW ` +
        'LEVEL SECURITY for each, or start with the role that owns them.',
    );
  }
  return problems;
}

/** pg-boss's schema has one name in every application that uses it. */
function queueProblems(facts: DatabaseFacts, migrations: Migration[]): string[] {
  const { role, database, mayCreateSchema, ownTablespace, boss } = facts;
  const install = migrations.find(({ sql }) => sql.includes('CREATE SCHEMA IF NOT EXISTS pgboss'));
  if (!install) return [];
  const others =
    'another application uses it, so create a database for Foyer alone, and change DATABASE_URL; or drop the schema, if none does.';
  if (!boss.version) {
    if (boss.tables.length > 0) {
      return [
        `The schema pgboss of the database ${database} holds other tables (${listed(boss.tables)}): ${others}`,
      ];
    }
    if (ownTablespace !== null) {
      return [
        `default_tablespace is ${ownTablespace}, the tablespace of the database ${database} itself, in which PostgreSQL then creates ` +
          `no partitioned table: run ALTER ROLE "${role}" SET default_tablespace = ''.`,
      ];
    }
    if (mayCreateSchema) return [];
    return [
      `The role ${role} may not create the schema pgboss of the job queue: run GRANT CREATE ON DATABASE "${database}" TO ` +
        `"${role}".`,
    ];
  }
  if (boss.version === 'unreadable' || !boss.usable) {
    return [
      `The role ${role} may not use the job queue in the schema pgboss: run GRANT ALL ON SCHEMA pgboss TO "${role}" and GRANT ` +
        `ALL ON ALL TABLES IN SCHEMA pgboss TO "${role}", or start with the role that owns it.`,
    ];
  }
  const isOurs = facts.applied?.some(({ name }) => name === install.name) ?? false;
  const foreign = boss.queues.filter((queue) => !migrations.some(({ sql }) => sql.includes(`'${queue}'`)));
  if (boss.version > bossVersion || (!isOurs && (boss.version !== bossVersion || foreign.length > 0))) {
    const queues = isOurs || foreign.length === 0 ? '' : `, with the queues ${listed(foreign)}`;
    return [
      `The schema pgboss of the database ${database} is that of another pg-boss (version ${boss.version} of its tables, and ` +
        `Foyer's is ${bossVersion}${queues}): ${others}`,
    ];
  }
  return [];
}

function isMissingSome({ applied, tables }: DatabaseFacts, migrations: Migration[]): boolean {
  if (!applied && tables.includes('_prisma_migrations')) return false;
  return migrations.some(({ name }) => !applied?.some((row) => row.name === name));
}

function listed(names: string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
