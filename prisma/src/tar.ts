// Unpacks a tarball of files and folders into a new directory, which appears complete or not at all.
import { mkdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const blockBytes = 512;

export async function unpackTar(tar: Buffer, directory: string): Promise<void> {
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const files: Promise<void>[] = [];
  for (const { name, folder, data } of entries(tar)) {
    const path = join(partial, name);
    if (folder) mkdirSync(path, { recursive: true, mode: 0o700 });
    else files.push(writeFile(path, data, { mode: 0o600 }));
  }
  await Promise.all(files);
  await rename(partial, directory);
}

type Entry = { name: string; folder: boolean; data: Buffer };

function* entries(tar: Buffer): Generator<Entry> {
  let offset = 0;
  while (offset + blockBytes <= tar.length && tar[offset] !== 0) {
    const text = (from: number, bytes: number) =>
      tar.toString('utf8', offset + from, offset + from + bytes).replace(/\0.*$/s, '');
    const sizeBytes = Number.parseInt(text(124, 12), 8) || 0;
    const start = offset + blockBytes;
    const prefix = text(345, 155);
    const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    yield { name, folder: text(156, 1) === '5', data: tar.subarray(start, start + sizeBytes) };
    offset = start + Math.ceil(sizeBytes / blockBytes) * blockBytes;
  }
}
