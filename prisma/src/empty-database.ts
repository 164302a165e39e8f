// A new data directory is unpacked from an empty database made at build time, which saves two seconds at the first
// start.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { unpackTar } from './tar.js';

/** Written by `build-empty-database.ts`; found from `dist` and `src` alike. */
export const emptyDatabaseFile = new URL('../dist/empty-database.tar.gz', import.meta.url);

/**
 * Creates the directory of a database, unless it exists. It appears complete, even if the process is killed. Returns
 * whether it was created.
 */
export async function createDatabaseDirectory(directory: string): Promise<boolean> {
  if (existsSync(directory)) return false;
  await unpackTar(await readEmptyDatabase(), directory);
  return true;
}

export async function readEmptyDatabase(): Promise<Buffer> {
  if (!existsSync(emptyDatabaseFile)) return packEmptyDatabase();
  return promisify(gunzip)(await readFile(emptyDatabaseFile));
}

/** A tarball. WAL segments of 1 MB instead of 16 suffice for a small database and unpack faster. */
export async function packEmptyDatabase(): Promise<Buffer> {
  const pglite = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] });
  await pglite.exec('CHECKPOINT');
  const tar = await pglite.dumpDataDir('none');
  await pglite.close();
  return Buffer.from(await tar.arrayBuffer());
}
