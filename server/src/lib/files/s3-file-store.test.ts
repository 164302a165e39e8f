// Removing from an S3-compatible service; writing and reading is told by the tests of files, on disk and on S3 alike.
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../../test/s3-server.js';
import type { FileStore } from './file-store.js';
import { s3FileStore } from './s3-file-store.js';

const key = { appId: 'app', fileId: 'file' };
let server: S3Server;
let store: FileStore;
beforeEach(async () => {
  server = await startS3Server();
  store = s3FileStore({ ...server, publicEndpoint: server.endpoint, pathStyle: true });
});
afterEach(() => server.stop());

test('what is removed is gone, its unfinished parts too, and what is beside it stays', async () => {
  server.uploads.set('cut off', { key: 'app/file', parts: new Map() });
  server.uploads.set('of another', { key: 'app/another', parts: new Map() });
  await store.write(key, Readable.from([Buffer.from('bytes')]));
  await store.write({ ...key, fileId: 'another' }, Readable.from([Buffer.from('bytes')]));
  await store.remove(key);
  expect([...server.objects.keys()]).toEqual(['app/another']);
  expect([...server.uploads.keys()]).toEqual(['of another']);
});

test('a service that cannot list unfinished uploads removes what is finished', async () => {
  server.listUploadsWith = 501;
  await store.write(key, Readable.from([Buffer.from('bytes')]));
  await store.remove(key);
  expect([...server.objects.keys()]).toEqual([]);
});

test('a key that may not list unfinished uploads removes what is finished, and the fault is told', async () => {
  server.listUploadsWith = 403;
  await store.write(key, Readable.from([Buffer.from('bytes')]));
  await expect(store.remove(key)).rejects.toThrow('403');
  expect([...server.objects.keys()]).toEqual([]);
});
