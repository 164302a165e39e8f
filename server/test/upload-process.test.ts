// Uploads to a separate process: their memory use, a disk that is really full, and kill -9 in the middle.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@foyer/prisma';
import { createTestPlace } from '@foyer/prisma/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type FoyerProcess, startFoyer } from './foyer-process.js';
import { freePort } from './free-port.js';
import { cheapPasswordHasher, type TestServiceOptions, testEncryptionKey, testService } from './harness.js';

const mebibyte = 1_024 * 1_024;
const minute = 60_000;
let running: FoyerProcess | undefined;
const directories: string[] = [];
afterEach(async () => {
  await running?.kill('SIGKILL');
  running = undefined;
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

type Demo = { base_url: string; app_key: string; secret_key: string };

async function started(env: Record<string, string> = {}): Promise<{ foyer: FoyerProcess; demo: Demo }> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'foyer-uploads-'));
  directories.push(DATA_DIR);
  const foyer = await startFoyer({ PORT: String(await freePort()), DATA_DIR, LOG_LEVEL: 'warn', ...env });
  running = foyer;
  // The service answers a moment before the file is there.
  const demo = await vi.waitFor(() => JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')), 30_000);
  return { foyer, demo };
}

function headersOf(demo: Demo) {
  return { 'X-App-Key': demo.app_key, Authorization: `Bearer ${demo.secret_key}` };
}

/** Streams so many bytes as one file without buffering them; stops early if requested. */
function upload(demo: Demo, bytes: number, stopAt = bytes): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const req = request(`${demo.base_url}/files`, {
      method: 'POST',
      headers: { ...headersOf(demo), 'Content-Type': 'multipart/form-data; boundary=frame' },
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

describe.skipIf(!existsSync('/proc/self/clear_refs'))('the memory of the process', () => {
  test('grows by less than the file, and by no more for a file ten times as large', async () => {
    const { foyer, demo } = await started();
    const changed = await fetch(`${demo.base_url}/admin/settings`, {
      method: 'PATCH',
      headers: { ...headersOf(demo), 'Content-Type': 'application/json' },
      body: JSON.stringify({ files: { max_bytes: 300 * mebibyte } }),
    });
    expect(changed.status).toBe(200);
    const grown: Record<number, number> = {};
    await upload(demo, 25 * mebibyte);
    for (const size of [25, 250]) {
      writeFileSync(`/proc/${foyer.pid}/clear_refs`, '5');
      const before = memory(foyer.pid, 'VmRSS');
      const { status, text } = await upload(demo, size * mebibyte);
      expect([status, JSON.parse(text).data?.size]).toEqual([201, size * mebibyte]);
      grown[size] = (memory(foyer.pid, 'VmHWM') - before) / 1_024;
    }
    console.log(`MiB that the process grew by, at its peak: ${JSON.stringify(grown)}`);
    expect(grown[25]).toBeLessThan(25);
    expect(grown[250]).toBeLessThan(50);
  }, 120_000);
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
  try {
    const { demo } = await started({ FILES_DIR: disk as string });
    const answers = [await upload(demo, 5 * mebibyte), await upload(demo, 5 * mebibyte)];
    expect(answers.map(({ status }) => status)).toEqual([201, 503]);
    expect(JSON.parse(answers[1]?.text ?? '').error.code).toBe('request/unavailable');
    expect((await upload(demo, 2 * mebibyte)).status).toBe(201);
    expect((await fetch(`${demo.base_url}/admin/files`, { headers: headersOf(demo) })).status).toBe(200);
  } finally {
    await running?.kill('SIGKILL');
    execFileSync('umount', [disk as string]);
    rmSync(disk as string, { recursive: true });
  }
}, 60_000);

test('bytes of an upload that kill -9 cut off are deleted after an hour by a sweep and become no file', async () => {
  const place = await createTestPlace();
  const directory = mkdtempSync(join(tmpdir(), 'foyer-cut-off-'));
  directories.push(directory);
  const open = async (options: TestServiceOptions = {}) =>
    testService({
      ...options,
      database: await openDatabase(place),
      config: { fileStore: { kind: 'disk', directory, chosen: true } },
      overrides: { passwordHasher },
    });
  const passwordHasher = await cheapPasswordHasher();
  const stored = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => ({ name, size: statSync(join(parentPath, name)).size }));
  try {
    const before = await open();
    const { app } = before;
    const form = new FormData();
    form.append('file', new Blob(['hello']), 'kept.txt');
    const kept = await before.call<{ id: string }>('POST', '/files', { token: app.secretKey, form });
    expect(kept.status).toBe(201);
    await before.stop();

    const PORT = String(await freePort());
    const foyer = await startFoyer({
      ...place.env,
      PORT,
      HOST: '127.0.0.1',
      ENCRYPTION_KEYS: testEncryptionKey,
      FILES_DIR: directory,
      LOG_LEVEL: 'fatal',
    });
    running = foyer;
    const demo = {
      base_url: `http://127.0.0.1:${PORT}/api/v2`,
      app_key: app.app.appKey,
      secret_key: app.secretKey,
    };
    const cutOff = upload(demo, 20 * mebibyte, 5 * mebibyte).catch(() => 'cut off');
    await expect
      .poll(() => stored().filter(({ size }) => size > mebibyte).length, { timeout: 30_000 })
      .toBe(1);
    await foyer.kill('SIGKILL');
    expect(await cutOff).toBe('cut off');
    expect(stored()).toHaveLength(2);

    const after = await open({ firstApp: app });
    // The hour began with the upload, by the clock of the machine.
    await after.advance(50 * minute);
    expect(stored()).toHaveLength(2);
    await after.advance(10 * minute);
    await after.advance(minute);
    expect(stored()).toEqual([{ name: kept.data.id, size: 5 }]);
    expect(await after.database.prisma.file.count()).toBe(1);
    await after.stop();
  } finally {
    await passwordHasher.close();
    await place.remove();
  }
}, 120_000);
