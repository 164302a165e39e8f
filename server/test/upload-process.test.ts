// Uploads to a separate process: their memory use, and kill -9 in the middle; and a disk that is really full.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace, type TestPlace } from '@foyer/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import { type FoyerProcess, startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import { manualClock, type TestService, testEncryptionKey, testService } from './harness.js';
import { inFull } from './thorough.js';

const mebibyte = 1_024 * 1_024;
const minute = 60_000;
const largeMebibytes = inFull(250, 100);
let place: TestPlace;
let directory: string;
let app: NewApp;
let running: FoyerProcess;
let port: string;
beforeAll(async () => {
  place = await createTestPlace();
  directory = mkdtempSync(join(tmpdir(), 'foyer-uploads-'));
  const prepared = await serviceHere();
  app = prepared.app;
  await prepared.stop();
  port = String(await freePort());
  running = await startFoyer({
    ...place.env,
    PORT: port,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: testEncryptionKey,
    FILES_DIR: directory,
    LOG_LEVEL: 'fatal',
  });
});
afterAll(async () => {
  await running?.kill('SIGKILL');
  await place.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** A service in this process on the database and the files of the other, while that is not running. */
async function serviceHere(firstApp?: NewApp): Promise<TestService> {
  return testService({
    database: await openDatabase(place),
    clock: manualClock(new Date()),
    config: { fileStore: { kind: 'disk', directory, chosen: true } },
    ...(firstApp && { firstApp }),
  });
}

type Service = { base_url: string; app_key: string; secret_key: string };

const inProcess = (): Service => ({
  base_url: `http://127.0.0.1:${port}/api/v2`,
  app_key: app.app.appKey,
  secret_key: app.secretKey,
});

function headersOf(service: Service) {
  return { 'X-App-Key': service.app_key, Authorization: `Bearer ${service.secret_key}` };
}

/** Streams so many bytes as one file without buffering them; stops early if requested. */
function upload(service: Service, bytes: number, stopAt = bytes): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const req = request(`${service.base_url}/files`, {
      method: 'POST',
      headers: { ...headersOf(service), 'Content-Type': 'multipart/form-data; boundary=frame' },
    });
    req.on('error', reject);
    req.on('response', async (res) => {
      let text = '';
      for await (const chunk of res) text += chunk;
      resolve({ status: res.statusCode as number, text });
    });
    const chunk = Buffer.alloc(64 * 1_024, 'x');
    let left = stopAt;
    req.write('--frame\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    const more = () => {
      while (left > 0) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (!req.write(part)) {
          req.once('drain', more);
          return;
        }
      }
      if (stopAt === bytes) req.end('\r\n--frame--\r\n');
    };
    more();
  });
}

/** Kibibytes of a line of /proc/<pid>/status. */
function memory(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'));
  return Number(line?.[1]);
}

test.skipIf(!existsSync('/proc/self/clear_refs'))(
  'the memory of the process grows by less than the file, and by no more for a file many times as large',
  async () => {
    const service = inProcess();
    const changed = await fetch(`${service.base_url}/admin/settings`, {
      method: 'PATCH',
      headers: { ...headersOf(service), 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: { max_bytes: largeMebibytes * 2 * mebibyte } }),
    });
    expect(changed.status).toBe(200);
    const grown: Record<number, number> = {};
    await upload(service, 25 * mebibyte);
    for (const size of [25, largeMebibytes]) {
      writeFileSync(`/proc/${running.pid}/clear_refs`, '5');
      const before = memory(running.pid, 'VmRSS');
      const { status, text } = await upload(service, size * mebibyte);
      expect([status, JSON.parse(text).data?.size]).toEqual([201, size * mebibyte]);
      grown[size] = (memory(running.pid, 'VmHWM') - before) / 1_024;
    }
    console.log(`MiB that the process grew by, at its peak: ${JSON.stringify(grown)}`);
    expect(grown[25]).toBeLessThan(25);
    expect(grown[largeMebibytes]).toBeLessThan(50);
  },
);

test('bytes of an upload that kill -9 cut off are deleted after an hour by a sweep and become no file', async () => {
  const stored = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => ({ name, size: statSync(join(parentPath, name)).size }));
  const { status, text } = await upload(inProcess(), 5);
  expect(status).toBe(201);
  const complete = stored();
  expect(complete).toContainEqual({ name: JSON.parse(text).data.id, size: 5 });

  const cutOff = upload(inProcess(), 20 * mebibyte, 5 * mebibyte).catch(() => 'cut off');
  const partial = () => stored().filter(({ name }) => complete.every((file) => file.name !== name));
  await expect.poll(() => partial()[0]?.size, { timeout: 60_000 }).toBeGreaterThan(mebibyte);
  await running.kill('SIGKILL');
  expect(await cutOff).toBe('cut off');
  expect(partial()).toHaveLength(1);

  const after = await serviceHere(app);
  // The hour began with the upload, by the clock of the machine.
  await after.advance(50 * minute);
  expect(partial()).toHaveLength(1);
  await after.advance(10 * minute);
  await after.advance(minute);
  expect(stored()).toEqual(complete);
  expect(await after.database.prisma.file.count()).toBe(complete.length);
  await after.stop();
});

/** A disk of eight mebibytes; null if this process may not mount one. */
function smallDisk(): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return null;
  }
}

test('a full disk is answered 503, stores no partial file, and has space for the next upload', async (context) => {
  const disk = smallDisk();
  context.skip(disk === null, 'this process may not mount a disk');
  const config = { fileStore: { kind: 'disk', directory: disk as string, chosen: true } } as const;
  const { app, url, stop } = await testService({ config });
  try {
    const service = { base_url: `${url}/api/v2`, app_key: app.app.appKey, secret_key: app.secretKey };
    const answers = [await upload(service, 5 * mebibyte), await upload(service, 5 * mebibyte)];
    expect(answers.map(({ status }) => status)).toEqual([201, 503]);
    expect(JSON.parse(answers[1]?.text ?? '').error.code).toBe('request/unavailable');
    expect((await upload(service, 2 * mebibyte)).status).toBe(201);
    expect((await fetch(`${service.base_url}/admin/files`, { headers: headersOf(service) })).status).toBe(
      200,
    );
  } finally {
    await stop();
    execFileSync('umount', [disk as string]);
    rmSync(disk as string, { recursive: true });
  }
});
