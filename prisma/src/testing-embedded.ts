/// <reference path="./fs-native-extensions.d.ts" />
// The template of embedded test databases: created once per machine and set of migrations, in the temporary directory.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { waitForLock } from 'fs-native-extensions';
import { embeddedDatabase } from './embedded.js';
import { migrate } from './migrate.js';
import { readMigrations } from './migration-files.js';
import { unpackTar } from './tar.js';

let template: Promise<Buffer> | undefined;

/** A tarball, read once per process. */
export function readTemplate(): Promise<Buffer> {
  template ??= findTemplate();
  return template;
}

export async function unpackTemplate(dataDir: string): Promise<void> {
  await unpackTar(await readTemplate(), join(dataDir, 'postgres'));
}

async function findTemplate(): Promise<Buffer> {
  const folder = join(tmpdir(), `foyer-test-templates-${userInfo().uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return readOrCreate(join(folder, `${await fingerprint()}.tar`), makeTemplate);
}

/** Test processes start together: one creates the file, and the others wait for it. */
export async function readOrCreate(path: string, create: () => Promise<Uint8Array>): Promise<Buffer> {
  if (!existsSync(path)) {
    const lock = await open(`${path}.lock`, 'a+');
    try {
      await waitForLock(lock.fd);
      if (!existsSync(path)) {
        await writeFile(`${path}.partial`, await create());
        await rename(`${path}.partial`, path);
      }
    } finally {
      await lock.close();
    }
  }
  return readFile(path);
}

async function fingerprint(): Promise<string> {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(dirname(pglite), '../package.json'), 'utf8'));
  const checksums = (await readMigrations()).map((migration) => migration.checksum);
  return createHash('sha256')
    .update([version, ...checksums].join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** Small, because every test unpacks it: short WAL segments, and no template databases. */
async function makeTemplate(): Promise<Uint8Array> {
  const pglite = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] });
  await pglite.exec('UPDATE pg_database SET datistemplate = false');
  await pglite.exec('DROP DATABASE template0');
  await pglite.exec('DROP DATABASE template1');
  const database = embeddedDatabase(pglite);
  await migrate(database);
  await pglite.exec('CHECKPOINT');
  const tar = await pglite.dumpDataDir('none');
  await database.close();
  return new Uint8Array(await tar.arrayBuffer());
}
