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

const rounds = process.env.FOYER_TEST_THOROUGH === '1' ? 3 : 2;

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
  const program = new URL('../test/hold-database.mjs', import.meta.url).pathname;
  const { DATABASE_URL: _, ...rest } = process.env;
  // The embedded database starts with a third less processor time without V8's optimizing compiler of WebAssembly.
  const child = spawn(process.execPath, ['--liftoff-only', program], {
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

  const refused = await openDatabase({ dataDir }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DataDirInUseError);
  expect(String(refused)).toBe(
    `DataDirInUseError: The data directory ${dataDir} is in use by another process. Stop that process first, or give ` +
      'this one another directory with DATA_DIR; to run several at once, use PostgreSQL (DATABASE_URL).',
  );

  await kill(owner.child);
  const first = await openDatabase({ dataDir });
  expect(await first.prisma.app.count()).toBe(1);

  // One process cannot open it twice, and can open it again once it is closed.
  await expect(openDatabase({ dataDir })).rejects.toThrow(DataDirInUseError);
  await first.close();
  const second = await openDatabase({ dataDir });
  await second.close();
});

test('no acknowledged write is lost by kill -9, round after round', async () => {
  const place = await newPlace();
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const { child, lines } = start(place.env);
    expect((await lines.next()).value).toBe('open');
    const first = Number((await lines.next()).value);
    // One more may have been committed in the round before whose answer was lost.
    expect([acknowledged + 1, acknowledged + 2]).toContain(first);
    for (let i = 1; i < 40; i += 1) acknowledged = Number((await lines.next()).value);
    expect(acknowledged).toBe(first + 39);
    await kill(child);
    for await (const line of lines) acknowledged = Number(line);
  }
  const database = await openDatabase(place);
  const app = await database.prisma.app.findUniqueOrThrow({ where: { id: 'counter' } });
  await database.close();
  expect([acknowledged, acknowledged + 1]).toContain(app.accessTokenSeconds);
});
