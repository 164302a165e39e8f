// Which file store the environment selects, and the warning about one that other instances cannot read.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jsonLogger } from './lib/logger.js';
import { fileStoreOf } from './wiring.js';

const databaseUrl = 'postgresql://foyer@db/foyer';

test.each<[string, string | undefined, boolean, number]>([
  ['an embedded database', undefined, false, 0],
  ['PostgreSQL and FILES_DIR', databaseUrl, true, 0],
  ['PostgreSQL and no place for files', databaseUrl, false, 1],
])('with %s the start logs as many warnings as are due', async (_what, url, chosen, count) => {
  const directory = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const lines: string[] = [];
  const logger = jsonLogger('warn', { write: (line) => lines.push(line) });
  await fileStoreOf({ databaseUrl: url, fileStore: { kind: 'disk', directory, chosen } }, logger);
  expect(lines).toEqual(
    Array(count).fill(
      expect.stringContaining('neither S3_ENDPOINT nor FILES_DIR is set: files are stored on'),
    ),
  );
});
