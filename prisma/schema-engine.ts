// Prisma's schema engine compiled to WebAssembly, on an empty database of its own: nothing is downloaded.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Database } from './src/database.js';
import { embeddedDatabase } from './src/embedded.js';
import { readEmptyDatabase } from './src/empty-database.js';
import { type Migration, migrationsDirectory } from './src/migration-files.js';
import { openDatabase } from './src/open.js';
import { createEmptyDatabase, dropDatabase } from './src/testing-postgresql.js';

// Node has it, but only the types of browsers declare it.
declare const WebAssembly: {
  instantiate(
    wasm: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** Prisma's engine and our client on the same database. */
export type EngineAndDatabase = {
  engine: SchemaEngine;
  database: Database;
  /** Closes the engine's connection, and with it the lock that it holds on the migrations. */
  endEngine(): Promise<void>;
};

/** Runs `work` with an engine on an empty database, embedded or on the given PostgreSQL server. */
export async function withSchemaEngine<T>(
  server: string | undefined,
  work: (given: EngineAndDatabase) => Promise<T>,
): Promise<T> {
  const empty = server ? await onPostgresql(server) : await inMemory();
  try {
    const { adapter, database, endEngine } = empty;
    return await work({ engine: await loadEngine(adapter), database, endEngine });
  } finally {
    await empty.remove();
  }
}

/** Our migrations in the format of the engine. */
export function migrationList(migrations: Migration[]): MigrationList {
  return {
    baseDir: fileURLToPath(migrationsDirectory),
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

let instantiated: Promise<void> | undefined;

async function loadEngine(adapter: SqlDriverAdapter): Promise<SchemaEngine> {
  instantiated ??= instantiate();
  await instantiated;
  const { provider, adapterName } = adapter;
  const connect = async () => adapter;
  const factory = { provider, adapterName, connect, connectToShadowDb: connect };
  const log = () => {};
  return bindings.SchemaEngine.new(
    { datamodels: undefined },
    log,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

async function instantiate(): Promise<void> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(script.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

type EmptyDatabase = {
  adapter: SqlDriverAdapter;
  database: Database;
  endEngine(): Promise<void>;
  remove(): Promise<void>;
};

async function inMemory(): Promise<EmptyDatabase> {
  const pglite = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(await readEmptyDatabase())]) });
  const adapter = await new PrismaPGlite(pglite).connect();
  // The adapter's own method returns before the script has completed.
  adapter.executeScript = async (script) => void (await pglite.exec(script));
  const database = embeddedDatabase(pglite);
  return { adapter, database, endEngine: async () => {}, remove: () => database.close() };
}

/** Prisma's adapter for pg cannot read the catalogue's type "char"; that of PGlite can, also over pg. */
async function onPostgresql(server: string): Promise<EmptyDatabase> {
  const databaseUrl = await createEmptyDatabase(server);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const adapter = await new PrismaPGlite(asPglite(client)).connect();
  adapter.executeScript = async (script) => void (await client.query(script));
  const database = await openDatabase({ databaseUrl });
  async function remove(): Promise<void> {
    await client.end();
    await database.close();
    await dropDatabase(server, databaseUrl);
  }
  return { adapter, database, endEngine: () => client.end(), remove };
}

function asPglite(client: pg.Client): PGlite {
  type Options = { parsers: Record<number, (text: string) => unknown> };
  const query = (text: string, values: unknown[], { parsers }: Options) =>
    client.query({
      text,
      values,
      rowMode: 'array',
      types: { getTypeParser: (oid: number) => parsers[oid] ?? pg.types.getTypeParser(oid) },
    });
  return { query } as unknown as PGlite;
}
