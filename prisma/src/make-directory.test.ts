import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from './make-directory.js';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

test('a directory is created with its parents, and the first of them is returned', async () => {
  const parent = await folder();
  const path = join(parent, 'one', 'two', 'three');
  expect(await makeDirectory(path, 0o700)).toBe(join(parent, 'one'));
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(await makeDirectory(path, 0o700)).toBeUndefined();
});

test('processes that create a directory at the same time all succeed', async () => {
  const path = join(await folder(), 'one', 'two');
  await Promise.all(Array.from({ length: 10 }, () => makeDirectory(path, 0o700)));
  expect((await stat(path)).isDirectory()).toBe(true);
});

test('a file in the way is reported', async () => {
  const parent = await folder();
  await writeFile(join(parent, 'file'), '');
  await expect(makeDirectory(join(parent, 'file', 'one'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeDirectory(join(parent, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
});

test.runIf(process.platform === 'linux')('a file system that allows no directories is reported', async () => {
  await expect(makeDirectory('/proc/foyer/data', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
});
