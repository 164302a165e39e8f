// A new data directory is unpacked from an empty database made at build time, which spares the first start two seconds.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unpackTar } from './tar.js';

/** Made by `build-empty-database.ts`; found from `dist` and `src` alike. */
export const emptyDatabaseFile = new URL('../dist/empty-database.tar.gz', import.meta.url);

/** Makes the directory of a database, unless there is one. Without the prebuilt file PGlite makes it when it opens. */
export async function createDatabaseDirectory(directory: string): Promise<void> {
  if (existsSync(directory) || !existsSync(emptyDatabaseFile)) return;
  await unpackTar(await promisify(gunzip)(await readFile(emptyDatabaseFile)), directory);
}
