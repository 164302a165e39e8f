// Part of the build: writes dist/empty-database.tar.gz, from which a new data directory is unpacked.
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { emptyDatabaseFile, packEmptyDatabase } from './src/empty-database.js';

await writeFile(emptyDatabaseFile, gzipSync(await packEmptyDatabase(), { level: 9 }));
