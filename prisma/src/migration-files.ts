// The migrations of this version of the program, in order of application.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

export type Migration = { name: string; sql: string; checksum: string };

/** The path is the same from `src`, `dist` and the installed package. */
export const migrationsDirectory = new URL('../migrations/', import.meta.url);

export async function readMigrations(directory: URL = migrationsDirectory): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigration(directory, name)));
}

async function readMigration(directory: URL, name: string): Promise<Migration> {
  const sql = await readFile(new URL(`${name}/migration.sql`, directory), 'utf8');
  return { name, sql, checksum: checksumOf(sql) };
}

/** Returns the checksum that Prisma computes. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}
