// Where a file is on the disk, and who may read it; the tests of files cover writing and reading, on disk and in S3.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeDirectory } from '@foyer/prisma';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskFileStore } from './disk-file-store.js';

const key = { appId: 'app', fileId: 'file-0123' };
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'foyer-files-'));
});
afterEach(() => rm(directory, { recursive: true }));

const write = () => diskFileStore(directory, makeDirectory).write(key, Readable.from([Buffer.from('bytes')]));

test('a file is in the folder of its app and of the end of its id, for the user of the service alone', async () => {
  await write();
  const modeOf = async (...path: string[]) => (await stat(join(directory, ...path))).mode & 0o777;
  expect(await readFile(join(directory, 'app', '23', 'file-0123'), 'utf8')).toBe('bytes');
  expect([await modeOf('app'), await modeOf('app', '23'), await modeOf('app', '23', 'file-0123')]).toEqual([
    0o700, 0o700, 0o600,
  ]);
});

test('a file that cannot be written is refused, to be sent again after half a minute', async () => {
  await writeFile(join(directory, 'app'), 'in the way');
  await expect(write()).rejects.toMatchObject({
    code: 'request/unavailable',
    headers: { 'Retry-After': '30' },
  });
});
