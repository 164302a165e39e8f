// The drift check: a change to schema.prisma without its migration, or the reverse, fails here.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { schemaDiff } from './schema-diff.js';
import { checksumOf, readMigrations } from './src/migration-files.js';

const databases: [string, string | undefined][] = [['the embedded database', undefined]];
if (process.env.DATABASE_URL) databases.push(['PostgreSQL', process.env.DATABASE_URL]);

describe.each(databases)('on %s', (_, databaseUrl) => {
  test('the migrations and the schema agree', async () => {
    expect(await schemaDiff({ databaseUrl })).toBe(null);
  });

  test('a column that is only in the schema becomes a migration', async () => {
    const schema = (await readFile(new URL('schema.prisma', import.meta.url), 'utf8')).replace(
      'model Event {',
      'model Event {\n  source String?',
    );
    expect(await schemaDiff({ databaseUrl, schema })).toBe(
      '-- AlterTable\nALTER TABLE "events" ADD COLUMN     "source" TEXT;\n',
    );
  });

  test('an index that is only in the migrations is found', async () => {
    const sql = 'CREATE INDEX "stray" ON "events"("type"); -- a comment; with semicolons;';
    const stray = { name: '29990101000000_stray', sql, checksum: checksumOf(sql) };
    const diff = await schemaDiff({ databaseUrl, migrations: [...(await readMigrations()), stray] });
    expect(diff).toContain('DROP INDEX "stray"');
  });
});
