// Answers of S3-compatible services; the tests of files cover writing and reading, on disk and in S3.
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../test/s3-server.js';
import type { FileStore } from './file-store.js';
import { s3FileStore } from './s3-file-store.js';

const key = { appId: 'app', fileId: 'file' };
let server: S3Server;
let store: FileStore;
let warnings: [object, string][] = [];
const logger = { warn: (details: object, message: string) => void warnings.push([details, message]) };
beforeEach(async () => {
  server = await startS3Server();
  warnings = [];
  store = s3FileStore({ ...server, publicEndpoint: server.endpoint, pathStyle: true }, logger);
});
afterEach(() => server.stop());

const partBytes = 5 * 1_024 * 1_024;

test.each([0, 1, partBytes, partBytes + 1, 2 * partBytes, 2 * partBytes + 1])(
  'a file of %i bytes is stored whole, in parts of 5 MiB',
  async (size) => {
    await store.write(key, Readable.from([Buffer.alloc(size, 7)]));
    expect(server.objects.get('app/file')?.equals(Buffer.alloc(size, 7))).toBe(true);
    const rest = size % partBytes;
    const parts = Array(Math.floor(size / partBytes)).fill(partBytes);
    expect(server.sentBytes).toEqual(rest > 0 || size === 0 ? [...parts, rest] : parts);
  },
);

test('a file of whole parts is stored without an empty one', async () => {
  let parts = 0;
  server.uploads.delete = (id) => {
    parts = server.uploads.get(id)?.parts.size ?? 0;
    return Map.prototype.delete.call(server.uploads, id);
  };
  await store.write(key, Readable.from([Buffer.alloc(2 * partBytes)]));
  expect(parts).toBe(2);
});

test('a file whose parts the service could not put together is refused, and its parts are removed', async () => {
  server.failsCompletion = true;
  const bytes = Readable.from([Buffer.alloc(6 * 1_024 * 1_024)]);
  await expect(store.write(key, bytes)).rejects.toMatchObject({
    code: 'request/unavailable',
    headers: { 'Retry-After': '5' },
  });
  expect(server.uploads.size).toBe(0);
});

test('a presigned URL is valid for a minute, and its content has the name of the file', async () => {
  await store.write(key, Readable.from([Buffer.from('bytes')]));
  const disposition = `attachment; filename*=UTF-8''It's%20(a)%20*%20!`;
  const as = { range: null, contentType: 'text/plain', disposition };
  const { address } = (await store.open(key, as)) as { address: string };
  expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('60');
  // Verified as S3 does, which encodes every character but the unreserved ones.
  expect(address).toContain('It%27s%2520%28a%29%2520%2A%2520%21');
  const answer = await fetch(address);
  expect([answer.status, await answer.text(), answer.headers.get('content-disposition')]).toEqual([
    200,
    'bytes',
    disposition,
  ]);
});

test.each([
  ['https://s3.example.com', 'https://photos.s3.example.com/app/file'],
  ['https://s3.example.com:9000/', 'https://photos.s3.example.com:9000/app/file'],
])('without path style, the bucket is part of the host name of %s', async (publicEndpoint, object) => {
  const options = { ...server, bucket: 'photos', publicEndpoint, pathStyle: false };
  const as = { range: null, contentType: 'text/plain', disposition: 'inline' };
  const opened = (await s3FileStore(options, logger).open(key, as)) as { address: string };
  expect(opened.address.split('?')[0]).toBe(object);
});

test('a removal is complete where a service answers 404 because the object does not exist', async () => {
  server.missingWith = 404;
  server.uploads.set('cut off', { key: 'app/file', parts: new Map() });
  await store.remove(key);
  expect(server.uploads.size).toBe(0);
});

test('a removal from a bucket that does not exist fails', async () => {
  const elsewhere = { ...server, bucket: 'other', publicEndpoint: server.endpoint, pathStyle: true };
  await expect(s3FileStore(elsewhere, logger).remove(key)).rejects.toThrow('404');
});

test('a removal deletes the object and its unfinished parts, and no others', async () => {
  server.uploads.set('cut off', { key: 'app/file', parts: new Map() });
  server.uploads.set('of another', { key: 'app/another', parts: new Map() });
  await store.write(key, Readable.from([Buffer.from('bytes')]));
  await store.write({ ...key, fileId: 'another' }, Readable.from([Buffer.from('bytes')]));
  await store.remove(key);
  expect([...server.objects.keys()]).toEqual(['app/another']);
  expect([...server.uploads.keys()]).toEqual(['of another']);
});

test.each([
  ['a service that cannot', 501],
  ['an access key that may not', 403],
])('a removal with %s list unfinished uploads is complete, and one warning is logged', async (_, status) => {
  server.listUploadsWith = status;
  for (let times = 0; times < 2; times += 1) {
    await store.write(key, Readable.from([Buffer.from('bytes')]));
    await store.remove(key);
    expect([...server.objects.keys()]).toEqual([]);
  }
  const message = expect.stringMatching(/lifecycle rule .* s3:ListBucketMultipartUploads$/);
  expect(warnings).toEqual([[{ status }, message]]);
});

test('a removal fails while unfinished uploads cannot be listed for a time', async () => {
  server.listUploadsWith = 503;
  await expect(store.remove(key)).rejects.toThrow('503');
  expect(warnings).toEqual([]);
});

test.each([403, 503])('a removal that is answered with %i fails', async (status) => {
  server.missingWith = status;
  await expect(store.remove(key)).rejects.toThrow(`${status}`);
});
