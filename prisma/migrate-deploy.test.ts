// Our `migrate` and `prisma migrate deploy` are interchangeable: tested with the engine that Prisma's command runs.
import { expect, test } from 'vitest';
import { migrationList, withSchemaEngine } from './schema-engine.js';
import { migrate } from './src/migrate.js';
import { readMigrations } from './src/migration-files.js';

// The run without DATABASE_URL tests the embedded database.
const server = process.env.DATABASE_URL;
const filters = { externalTables: [], externalEnums: [] };

test('Prisma finds nothing to apply or repair after our migrate', async () => {
  const migrationsList = migrationList(await readMigrations());
  await withSchemaEngine(server, async ({ engine, database }) => {
    await migrate(database);
    const diagnosis = await engine.diagnoseMigrationHistory({
      migrationsList,
      optInToShadowDatabase: false,
      filters,
    });
    expect(diagnosis).toMatchObject({
      hasMigrationsTable: true,
      editedMigrationNames: [],
      failedMigrationNames: [],
      history: null,
    });
    expect(await engine.applyMigrations({ migrationsList, filters })).toEqual({
      appliedMigrationNames: [],
    });
  });
});

test('our migrate finds nothing to apply after Prisma, and the same columns', async () => {
  const migrations = await readMigrations();
  await withSchemaEngine(server, async ({ engine, database, endEngine }) => {
    await engine.applyMigrations({ migrationsList: migrationList(migrations), filters });
    await endEngine();
    const columns = await readColumns();
    expect(await migrate(database)).toEqual([]);
    await database.connection(({ script }) => script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
    expect(await migrate(database)).toEqual(migrations.map(({ name }) => name));
    expect(await readColumns()).toEqual(columns);

    function readColumns() {
      return database.connection(({ query }) =>
        query(
          `SELECT column_name, data_type, character_maximum_length, column_default, is_nullable
               FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
        ),
      );
    }
  });
});
