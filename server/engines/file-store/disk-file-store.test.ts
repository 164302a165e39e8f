// What the disk is asked for, beside the bytes: a power failure, which no test can make, must not lose a file that was stored.
import { fstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openFiles } from '../../test/open-files.js';
import { diskFileStore } from './disk-file-store.js';
import type { FileStore } from './file-store.js';

const makeDirectory = (path: string, mode: number) => mkdir(path, { recursive: true, mode });
let root: string;
let store: FileStore;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foyer-disk-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  store = diskFileStore(join(root, 'files'), makeDirectory);
});

const key = { appId: 'app', fileId: 'first-AA' };
const pathOf = (file: number) => readlinkSync(`/proc/self/fd/${file}`).replace(root, '');
const openInRoot = () => openFiles().filter((path) => path.startsWith(root));

/** The files and folders that are synced during the work, in order. */
async function syncedDuring(work: () => Promise<void>): Promise<string[]> {
  const synced: string[] = [];
  await withSync((fd) => void synced.push(pathOf(fd)), work);
  return synced;
}

/** Calls `before` at each sync of a file or folder. */
async function withSync(before: (fd: number) => void, work: () => Promise<void>): Promise<void> {
  const any = await open(root, 'r');
  const prototype = Object.getPrototypeOf(any) as { sync(this: { fd: number }): Promise<void> };
  await any.close();
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function noted(this: { fd: number }) {
    before(this.fd);
    return sync.call(this);
  });
  await work().finally(() => spy.mockRestore());
}

const write = (fileId: string) => store.write({ ...key, fileId }, Readable.from([Buffer.from('bytes')]));

test.skipIf(process.platform !== 'linux')(
  'the name of each new folder is durable, and the bytes of a file before it has its name',
  async () => {
    expect(await syncedDuring(() => write('first-AA'))).toEqual([
      '/files/app',
      '/files',
      '',
      '/files/app/AA/first-AA.part',
      '/files/app/AA',
    ]);
    // Only the last folder is new.
    expect(await syncedDuring(() => write('second-BB'))).toEqual([
      '/files/app',
      '/files/app/BB/second-BB.part',
      '/files/app/BB',
    ]);
    expect(await syncedDuring(() => write('third-BB'))).toEqual([
      '/files/app/BB/third-BB.part',
      '/files/app/BB',
    ]);
    expect(openInRoot()).toEqual([]);
  },
);

test('a file is stored on Windows, where no folder can be synced', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  onTestFinished(() => void vi.restoreAllMocks());
  const refusesFolders = (fd: number) => {
    if (fstatSync(fd).isDirectory()) throw Object.assign(new Error('EPERM: fsync'), { code: 'EPERM' });
  };
  await withSync(refusesFolders, () => write('first-AA'));
  expect(readdirSync(join(root, 'files', 'app', 'AA'))).toEqual(['first-AA']);
});

test('nothing is left of a file whose bytes end with an error, and it is not open', async () => {
  const failure = new Error('the client went away');
  const bytes = Readable.from(
    (async function* cutOff() {
      yield Buffer.from('half');
      throw failure;
    })(),
  );
  await expect(store.write(key, bytes)).rejects.toBe(failure);
  expect(readdirSync(join(root, 'files', 'app', 'AA'))).toEqual([]);
  expect(process.platform === 'linux' ? openInRoot() : []).toEqual([]);
});

test('a file is in the folder of its app and of the end of its id, for the user of the service alone', async () => {
  await write('file-0123');
  const modeOf = async (...path: string[]) => (await stat(join(root, 'files', ...path))).mode & 0o777;
  expect(await readFile(join(root, 'files', 'app', '23', 'file-0123'), 'utf8')).toBe('bytes');
  expect([await modeOf('app'), await modeOf('app', '23'), await modeOf('app', '23', 'file-0123')]).toEqual([
    0o700, 0o700, 0o600,
  ]);
});

test('a file that cannot be written is refused, to be sent again after half a minute', async () => {
  await mkdir(join(root, 'files'));
  await writeFile(join(root, 'files', 'app'), 'in the way');
  await expect(write('file-0123')).rejects.toMatchObject({
    code: 'request/unavailable',
    headers: { 'Retry-After': '30' },
  });
});
