// Part of the build: writes dist/empty-database.tar.gz, from which a new data directory is unpacked.
import { mkdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { emptyDatabaseFile } from './src/empty-database.js';

const pglite = await PGlite.create();
await pglite.exec('CHECKPOINT');
const tar = await pglite.dumpDataDir('none');
await pglite.close();
await mkdir(new URL('.', emptyDatabaseFile), { recursive: true });
await writeFile(emptyDatabaseFile, gzipSync(await tar.arrayBuffer(), { level: 9 }));
