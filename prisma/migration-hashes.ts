// The committed hashes of the migrations, as `sha256sum` writes them: a database that has applied a migration refuses another
// text of it, so a released one never changes.
import { readFile, writeFile } from 'node:fs/promises';
import { checksumOf, type Migration } from './src/migration-files.js';

const file = new URL('migrations.sha256', import.meta.url);

export async function readHashes(): Promise<string[]> {
  return (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
}

/** Adds the line of the newest migration, or replaces it; all others remain as they were committed. */
export async function writeNewestHash(migrations: Migration[]): Promise<void> {
  const newest = migrations.at(-1) as Migration;
  const kept = (await readHashes()).filter((line) => !line.endsWith(pathOf(newest)));
  await writeFile(file, `${[...kept, hashLine(newest)].join('\n')}\n`);
}

/** A checkout may convert line endings to those of Windows; the hash is the same. */
export function hashLine(migration: Migration): string {
  return `${checksumOf(migration.sql.replaceAll('\r\n', '\n'))}  ${pathOf(migration)}`;
}

function pathOf({ name }: Pick<Migration, 'name'>): string {
  return `migrations/${name}/migration.sql`;
}
