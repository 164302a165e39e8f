// Uploads to a failing store: the client gets an error, and nothing is stored.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { makeDirectory } from '@foyer/prisma';
import { describe, expect, test } from 'vitest';
import { diskFileStore } from '../../engines/file-store/disk-file-store.js';
import { type FileScenario, fileScenario, png } from '../../test/file-scenario.js';
import { passQueueTime, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { queueRemoval } from './remove-bytes.js';

const mebibyte = 1_024 * 1_024;

test('bytes are removed however long the store refuses, and those of other files meanwhile', async () => {
  const directory = join(tmpdir(), `foyer-locked-${randomUUID()}`);
  const disk = diskFileStore(directory, makeDirectory);
  const locked = new Set<string>();
  const remove: typeof disk.remove = async (key) => {
    if (locked.has(key.fileId)) throw new Error('the object is locked');
    await disk.remove(key);
  };
  const scenario = await fileScenario('disk', { overrides: { fileStore: { ...disk, remove } } });
  const { service } = scenario;
  const { uid, tokens } = await service.signUp();
  const token = tokens.access_token;
  const files = [await scenario.upload({ token }), await scenario.upload({ token })].map(
    ({ data }) => data.id,
  );
  const [first = ''] = files;
  locked.add(first);
  /** Leaves out the daily work, which takes a second. */
  const runJobsOfTwoDays = async () => {
    await passQueueTime(service.database, 48 * 3_600_000);
    await service.deps.queue.runNow();
  };
  // The cleanup of the uploads.
  await runJobsOfTwoDays();
  await service.call('DELETE', `/admin/users/${uid}`, { token: service.app.secretKey });
  const stored = async () => {
    const paths = await readdir(directory, { recursive: true });
    return files.filter((id) => paths.some((path) => path.endsWith(id)));
  };
  for (let time = 0; time < 2; time += 1) {
    // The next attempt is the last.
    await service.database.prisma.$executeRaw`UPDATE pgboss.job SET retry_count = retry_limit
      WHERE name = 'files_remove_bytes'`;
    await runJobsOfTwoDays();
    expect(await stored()).toEqual([first]);
    // A day after the last attempt another job begins.
    expect(
      await service.database.prisma
        .$queryRaw`SELECT extract(epoch FROM start_after - created_on)::int AS seconds
        FROM pgboss.job WHERE name = 'files_remove_bytes'`,
    ).toEqual([{ seconds: 86_400 }]);
  }
  locked.clear();
  await runJobsOfTwoDays();
  expect(await stored()).toEqual([]);
  await scenario.stop();
  await rm(directory, { recursive: true });
});

describe('the content of a file', () => {
  test('whose bytes are not in the store is not found, and the log names the file', async () => {
    const logged: string[] = [];
    const scenario = await fileScenario('disk', { onLogLine: (line) => logged.push(line) });
    const { data } = await scenario.upload({ token: await tokenOf(scenario), visibility: 'public' });
    await scenario.service.deps.fileStore.remove({ appId: scenario.service.app.app.id, fileId: data.id });
    await scenario.expectRefused(data.public_url, 'files/not-found');
    const [warning] = logged.filter((line) => line.includes('are not in the store'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ file_id: data.id });
    await scenario.stop();
  });

  test.each([
    ['while it is sent', 0],
    ['before the store has opened it', 1],
  ])('is closed when the client goes away %s', async (_, isLate) => {
    const directory = join(tmpdir(), `foyer-closed-${randomUUID()}`);
    const bytes = new Readable({ read() {} });
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const open = async () => {
      asked();
      if (isLate) await isAnswered;
      return { bytes };
    };
    const fileStore = { ...diskFileStore(directory, makeDirectory), open };
    const scenario = await fileScenario('disk', { overrides: { fileStore } });
    const { data } = await scenario.upload({ token: await tokenOf(scenario), visibility: 'public' });
    const { server } = scenario.service.listening;
    const closed = new Promise((resolve) =>
      server.once('request', (_req, res) => res.once('close', () => resolve(null))),
    );
    const client = new AbortController();
    const opened = scenario.open(data.public_url, { signal: client.signal }).catch(() => null);
    await isAsked;
    bytes.push('the first bytes');
    if (!isLate) await opened;
    client.abort();
    await closed;
    answer();
    await expect.poll(() => bytes.destroyed).toBe(true);
    await scenario.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('that cannot be read to its end ends the connection, so that the client notices', async () => {
    const directory = join(tmpdir(), `foyer-broken-${randomUUID()}`);
    const bytes = new Readable({ read() {} });
    const fileStore = { ...diskFileStore(directory, makeDirectory), open: async () => ({ bytes }) };
    const scenario = await fileScenario('disk', { overrides: { fileStore } });
    const { data } = await scenario.upload({ token: await tokenOf(scenario), visibility: 'public' });
    bytes.push('the first bytes');
    const answer = await scenario.open(data.public_url);
    expect(answer.status).toBe(200);
    bytes.destroy(new Error('the disk cannot be read'));
    await expect(answer.text()).rejects.toThrow();
    await scenario.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('that the disk cannot read is unavailable, not missing', async () => {
    const directory = join(tmpdir(), `foyer-unreadable-${randomUUID()}`);
    const fileStore = diskFileStore(directory, makeDirectory);
    const scenario = await fileScenario('disk', { overrides: { fileStore } });
    const { data } = await scenario.upload({ token: await tokenOf(scenario), visibility: 'public' });
    const folder = join(directory, scenario.service.app.app.id, data.id.slice(-2));
    await rm(folder, { recursive: true });
    await writeFile(folder, 'not a folder');
    await scenario.expectRefused(data.public_url, 'request/unavailable');
    await scenario.stop();
    await rm(directory, { recursive: true });
  });
});

async function tokenOf({ service }: FileScenario): Promise<string> {
  return (await service.signUp()).tokens.access_token;
}

test('the removal of many bytes keeps its progress while the store fails', async () => {
  const removed = new Map<string, number>();
  let failures = 0;
  const directory = join(tmpdir(), `foyer-removal-${randomUUID()}`);
  const remove = async ({ fileId }: { fileId: string }) => {
    if (fileId.startsWith('LATE')) {
      failures += 1;
      throw new Error('the store is unavailable');
    }
    removed.set(fileId, (removed.get(fileId) ?? 0) + 1);
  };
  const fileStore = { ...diskFileStore(directory, makeDirectory), remove };
  const { service, stop } = await fileScenario('disk', { overrides: { fileStore } });
  const { uid } = await service.signUp();
  await service.database.prisma.$executeRaw`INSERT INTO files
      (app_id, id, owner_id, name, content_type, size, sha256, visibility, created_at)
    SELECT ${service.app.app.id}, CASE WHEN n <= 50 THEN 'EARLY' ELSE 'LATE' END || n, ${uid}, 'a', 'text/plain', 1,
      ''::bytea, 'private', now() FROM generate_series(1, 55) AS n`;
  await service.call('DELETE', `/admin/users/${uid}`, { token: service.app.secretKey });
  for (let attempts = 0; attempts < 3; attempts += 1) {
    await service.deps.queue.runNow();
    await passQueueTime(service.database, 3_600_000);
  }
  expect([...removed.values()]).toEqual(Array(50).fill(1));
  // Three files of each attempt, and the others not at all.
  expect(failures).toBe(9);
  await stop();
});

test('files that can never be removed keep no other file of their job in the store', async () => {
  const removed = new Set<string>();
  const directory = join(tmpdir(), `foyer-locked-first-${randomUUID()}`);
  const remove = async ({ fileId }: { fileId: string }) => {
    if (fileId.startsWith('LOCKED')) throw new Error('the object is locked');
    removed.add(fileId);
  };
  const fileStore = { ...diskFileStore(directory, makeDirectory), remove };
  const { service, stop } = await fileScenario('disk', { overrides: { fileStore } });
  const fileIds = ['LOCKED1', 'LOCKED2', 'LOCKED3', 'A', 'B', 'C', 'D', 'E'];
  await queueRemoval(service.deps.prisma, service.deps, service.app.app.id, fileIds);
  // Each attempt reaches each file with a chance of three in four.
  for (let attempts = 0; attempts < 14 && removed.size < 5; attempts += 1) {
    await service.deps.queue.runNow();
    await passQueueTime(service.database, 48 * 3_600_000);
  }
  expect([...removed].sort()).toEqual(['A', 'B', 'C', 'D', 'E']);
  await stop();
});

describe('a store that fails', () => {
  /** The obstacle to each write step; a disk that fills up midway is tested in its own process (upload-process). */
  const obstacles: [string, (path: string) => Promise<string>][] = [
    [
      'no folder can be made for the file',
      async (path) => {
        await mkdir(dirname(dirname(path)), { recursive: true });
        await writeFile(dirname(path), '');
        return dirname(path);
      },
    ],
    [
      'the file cannot be opened',
      async (path) => {
        await mkdir(`${path}.part`, { recursive: true });
        return `${path}.part`;
      },
    ],
    [
      'the file, though written, cannot be given its name',
      async (path) => {
        await mkdir(join(path, 'in the way'), { recursive: true });
        return path;
      },
    ],
  ];

  test.each(obstacles)('because %s is answered 503, and stores nothing', async (_, obstruct) => {
    const directory = join(tmpdir(), `foyer-failing-${randomUUID()}`);
    const disk = diskFileStore(directory, makeDirectory);
    const placed: string[] = [];
    let failing = true;
    const scenario = await fileScenario('disk', {
      overrides: {
        fileStore: {
          ...disk,
          async write(key, bytes) {
            const path = join(directory, key.appId, key.fileId.slice(-2), key.fileId);
            if (failing) placed.push(await obstruct(path));
            await disk.write(key, bytes);
          },
        },
      },
    });
    const { tokens } = await scenario.service.signUp();
    const token = tokens.access_token;
    for (let tries = 0; tries < 3; tries += 1) {
      const bytes = Buffer.alloc(3 * mebibyte);
      expectRefusal(await scenario.upload({ token, bytes }), 'request/unavailable');
      // Files may share a folder by chance, and an obstacle would block the next one.
      for (const path of placed) await rm(path, { recursive: true, force: true });
    }
    expect(placed).toHaveLength(3);
    expect((await scenario.service.call('GET', '/me', { token })).status).toBe(200);
    expect(await scenario.service.database.prisma.file.count()).toBe(0);
    const left = await readdir(directory, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
    failing = false;
    expect((await scenario.upload({ token })).status).toBe(201);
    await scenario.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('because its directory cannot be created is answered 503', async () => {
    const inTheWay = join(tmpdir(), `foyer-in-the-way-${randomUUID()}`);
    await writeFile(inTheWay, '');
    const service = await testService({
      config: { fileStore: { kind: 'disk', directory: inTheWay, chosen: true } },
    });
    const form = new FormData();
    form.append('file', new Blob([png]), 'a.png');
    const answer = await service.call('POST', '/files', { token: service.app.secretKey, form });
    expectRefusal(answer, 'request/unavailable');
    await service.stop();
    await rm(inTheWay);
  });
});
