// What a start opens and a stop closes, which file store the environment selects, and the warning about one that other instances
// cannot read.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@foyer/prisma';
import { createTestDatabase } from '@foyer/prisma/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testEncryptionKey } from '../test/harness.js';
import { readConfig } from './env.js';
import { jsonLogger } from './lib/logger.js';
import { buildDeps, buildStoreDeps, fileStoreOf, withChangeDeps } from './wiring.js';

const databaseUrl = 'postgresql://foyer@db/foyer';
const logger = jsonLogger('silent');

/** A configuration with a folder of its own for files. */
async function newConfig(ENCRYPTION_KEYS = testEncryptionKey) {
  const FILES_DIR = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(FILES_DIR, { recursive: true, force: true }));
  return readConfig({ ENCRYPTION_KEYS, FILES_DIR });
}

/** Notes the name of each part that is closed. */
function noteClosing(parts: Record<string, object>): string[] {
  const closed: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const closing = part as { close(): unknown; stop(): unknown };
    const method = 'stop' in part ? 'stop' : 'close';
    const close = closing[method].bind(part);
    vi.spyOn(closing, method).mockImplementation(() => {
      closed.push(name);
      return close();
    });
  }
  return closed;
}

test('a stop closes all that a start has opened, in reverse order', async () => {
  const database = await createTestDatabase();
  const { deps, close } = await buildDeps(await newConfig(), { database, logger });
  const { queue, pushSenders, mailer, ssrfSafeFetch, limiter, passwordHasher } = deps;
  const { dailyCounters, auditBuffer } = deps;
  const parts = { queue, pushSenders, mailer, ssrfSafeFetch, limiter, dailyCounters, auditBuffer };
  const closed = noteClosing({ ...parts, database, passwordHasher });
  await close();
  expect(closed).toEqual([...Object.keys(parts), 'database', 'passwordHasher']);
});

test('what is lent to a start is not closed by its stop', async () => {
  const lender = await buildDeps(await newConfig(), { database: await createTestDatabase(), logger });
  const { passwordHasher, ssrfSafeFetch } = lender.deps;
  const overrides = { passwordHasher, ssrfSafeFetch, logger, database: await createTestDatabase() };
  const { close } = await buildDeps(await newConfig(), overrides);
  const closed = noteClosing({ passwordHasher, ssrfSafeFetch });
  await close();
  expect(closed).toEqual([]);
  await lender.close();
  expect(closed).toEqual(['ssrfSafeFetch', 'passwordHasher']);
});

test('a start that fails closes the database that it has opened', async () => {
  const database = await createTestDatabase();
  const lent: Database = { ...database, close: async () => {} };
  await (await buildDeps(await newConfig(), { database: lent, logger })).close();
  const connection = () => Promise.reject(new Error('the migration failed'));
  for (const [opened, keys, sentence] of [
    [{ ...lent, connection }, testEncryptionKey, 'the migration failed'],
    [database, 'a-wrong-secret-key-for-tests-and-long-enough', 'ENCRYPTION_KEYS'],
  ] as const) {
    const closed = noteClosing({ database: opened });
    const start = buildDeps(await newConfig(keys), { database: opened, logger });
    await expect(start).rejects.toThrow(sentence);
    expect(closed).toEqual(['database']);
  }
});

test('a start whose database has lost its signing keys makes new ones', async () => {
  const database = await createTestDatabase();
  const lent: Database = { ...database, close: async () => {} };
  await (await buildDeps(await newConfig(), { database: lent, logger })).close();
  await database.prisma.signingKey.deleteMany();
  const { deps, close } = await buildDeps(await newConfig(), { database, logger });
  expect(deps.signingKeys.signsWith('ES256')).toBe(true);
  await close();
});

test('a change of an app from the command line closes what it needed besides the database', async () => {
  const opened = await buildStoreDeps(await newConfig(), { database: await createTestDatabase() });
  let closed: string[] = [];
  const work = withChangeDeps(opened, async ({ queue, ssrfSafeFetch }) => {
    closed = noteClosing({ queue, ssrfSafeFetch });
    throw new Error('refused');
  });
  await expect(work).rejects.toThrow('refused');
  expect(closed).toEqual(['queue', 'ssrfSafeFetch']);
  await opened.close();
});

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
