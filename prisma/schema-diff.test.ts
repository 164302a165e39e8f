// The drift check: a change to schema.prisma without its migration, or the reverse, fails here.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { schemaDiff } from './schema-diff.js';
import { checksumOf, readMigrations } from './src/migration-files.js';

// The run without DATABASE_URL tests the embedded database.
const databaseUrl = process.env.DATABASE_URL;

test('the migrations and the schema agree', async () => {
  expect(await schemaDiff({ databaseUrl })).toBe(null);
});

test('a column that is only in the schema becomes a migration, and an index only in the migrations is dropped', async () => {
  const schema = (await readFile(new URL('schema.prisma', import.meta.url), 'utf8')).replace(
    'model Event {',
    'model Event {\n  source String?',
  );
  const sql = 'CREATE INDEX "stray" ON "events"("type"); -- a comment; with semicolons;';
  const stray = { name: '29990101000000_stray', sql, checksum: checksumOf(sql) };
  const diff = await schemaDiff({ databaseUrl, schema, migrations: [...(await readMigrations()), stray] });
  expect(diff).toBe(
    '-- DropIndex\nDROP INDEX "stray";\n\n-- AlterTable\nALTER TABLE "events" ADD COLUMN     "source" TEXT;\n',
  );
});
