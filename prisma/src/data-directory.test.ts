// One owner per data directory, tested with real processes; and the state after kill -9, on both kinds of database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { DataDirInUseError } from './data-directory.js';
import { openDatabase } from './open.js';
import { createTestPlace, type TestPlace } from './testing.js';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function newPlace(): Promise<TestPlace> {
  const place = await createTestPlace();
  cleanUp.push(place.remove);
  return place;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function start(env: { DATABASE_URL?: string; DATA_DIR?: string }) {
  const program = new URL('../test/hold-database.ts', import.meta.url).pathname;
  const { DATABASE_URL: _, ...rest } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { ...rest, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp.push(() => kill(child));
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('a data directory in use is refused with a message, and opens at once after its owner is killed', async () => {
  const dataDir = await newFolder();
  const owner = start({ DATA_DIR: dataDir });
  expect((await owner.lines.next()).value).toBe('open');

  const second = start({ DATA_DIR: dataDir });
  expect((await second.lines.next()).value).toBe(
    `DataDirInUseError: The data directory ${dataDir} is in use by another process. Stop that process first, or give ` +
      'this one another directory with DATA_DIR; to run several at once, use PostgreSQL (DATABASE_URL).',
  );
  await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirInUseError);

  await kill(owner.child);
  const database = await openDatabase({ dataDir });
  expect(await database.prisma.app.count()).toBe(1);
  await database.close();
});

test('one process cannot open a data directory twice, and can open it again once it is closed', async () => {
  const dataDir = await newFolder();
  const first = await openDatabase({ dataDir });
  await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirInUseError);
  await first.close();
  const second = await openDatabase({ dataDir });
  await second.close();
});

test('no acknowledged write is lost by kill -9, round after round', async () => {
  const place = await newPlace();
  let acknowledged = 0;
  for (let round = 1; round <= 3; round += 1) {
    const { child, lines } = start(place.env);
    expect((await lines.next()).value).toBe('open');
    for (let i = 0; i < 40; i += 1) acknowledged = Number((await lines.next()).value);
    await kill(child);
    for await (const line of lines) acknowledged = Number(line);

    const database = await openDatabase(place);
    const app = await database.prisma.app.findUniqueOrThrow({ where: { id: 'counter' } });
    await database.close();
    // One more may have been committed whose answer was lost.
    expect([acknowledged, acknowledged + 1]).toContain(app.accessTokenSeconds);
    acknowledged = app.accessTokenSeconds;
  }
});
