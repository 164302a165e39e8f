// Compares the migrations with schema.prisma, as `prisma migrate diff` does.
import { readFile } from 'node:fs/promises';
import { migrationList, withSchemaEngine } from './schema-engine.js';
import { type Migration, readMigrations } from './src/migration-files.js';

export type Comparison = { databaseUrl?: string | undefined; migrations?: Migration[]; schema?: string };

/** The SQL from the migrations to the schema; null if they agree. */
export async function schemaDiff(comparison: Comparison = {}): Promise<string | null> {
  const migrations = comparison.migrations ?? (await readMigrations());
  const content = comparison.schema ?? (await readFile(new URL('schema.prisma', import.meta.url), 'utf8'));
  return withSchemaEngine(comparison.databaseUrl, async ({ engine }) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...migrationList(migrations) },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 2 ? `${(stdout ?? '').trim()}\n` : null;
  });
}
