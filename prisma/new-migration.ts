// Writes the migration from the existing migrations to schema.prisma, and its hash: npm run migration -- <name>
// After the newest one was edited by hand, writes its hash again: npm run migration -- --hash
import { mkdir, writeFile } from 'node:fs/promises';
import { writeNewestHash } from './migration-hashes.js';
import { schemaDiff } from './schema-diff.js';
import { distributeNewTables } from './src/distribute-new-tables.js';
import { migrationsDirectory, readMigrations } from './src/migration-files.js';

const [name = ''] = process.argv.slice(2);
const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const last = (await readMigrations()).at(-1)?.name ?? '';

if (name === '--hash') {
  await writeNewestHash(await readMigrations());
  process.exit(0);
}
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  fail(
    'Give the migration a name in small letters, digits and underscores: npm run migration -- add_devices',
  );
}
if (`${timestamp}_${name}` <= last) {
  fail(`The clock of this machine is before the last migration (${last}); a new one would sort before it.`);
}
const diff = await schemaDiff();
if (diff === null) {
  console.log('Nothing to do: the migrations and schema.prisma say the same.');
} else {
  const sql = distributeNewTables(diff);
  const directory = new URL(`${timestamp}_${name}/`, migrationsDirectory);
  await mkdir(directory);
  await writeFile(new URL('migration.sql', directory), sql);
  await writeNewestHash(await readMigrations());
  console.log(sql);
  console.log(
    `Written to migrations/${timestamp}_${name}/migration.sql. Read it, and change it where data must move; after that run ` +
      'npm run migration -- --hash.',
  );
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
