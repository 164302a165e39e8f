// The beginning of a file that its type is found from, whatever the chunks in which it arrives.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { storeBytes } from './store-bytes.js';

const service = shared(() => testService());

/** The content type of a file without a declared one. */
async function typeOfChunks(...chunks: Buffer[]): Promise<string> {
  const { deps, app } = service;
  const key = { appId: app.app.id, fileId: deps.random.ulid(deps.clock.now()) };
  const file = { name: 'a', declaredType: '', bytes: Readable.from(chunks) };
  const limits = { maxBytes: 10_000, leftBytes: null, allowedTypes: null, countWritten() {} };
  return (await storeBytes(deps, key, file, limits)).contentType;
}

const text = (bytes: number) => Buffer.alloc(bytes, 'a');
const [first, second] = [Buffer.of(0xc3), Buffer.of(0xa9)];

test.each([
  ['ends', [text(4_099), first], [second]],
  ['ends, with more in the same chunk', [text(4_099), first, second, text(100)], []],
  ['goes on', [text(4_100), first], [second]],
])('a text is recognized though a character begins where the beginning %s', async (_, head, rest) => {
  expect(await typeOfChunks(Buffer.concat(head), Buffer.concat(rest))).toBe('text/plain');
});

test('the removal of the bytes is queued before the first of them is stored, in case the process dies', async () => {
  const { deps, app } = service;
  const key = { appId: app.app.id, fileId: deps.random.ulid(deps.clock.now()) };
  const file = { name: 'a', declaredType: '', bytes: Readable.from([text(10)]) };
  const limits = { maxBytes: 10_000, leftBytes: null, allowedTypes: null, countWritten() {} };
  const queued = async () => {
    const [row] = await service.database.prisma.$queryRaw<[{ count: number }]>`SELECT count(*)::int AS count
      FROM pgboss.job WHERE name = 'files_remove_bytes' AND start_after > now() + interval '59 minutes'`;
    return row.count;
  };
  const before = await queued();
  let added = 0;
  const write = async () => {
    added = (await queued()) - before;
  };
  await storeBytes({ ...deps, fileStore: { ...deps.fileStore, write } }, key, file, limits);
  expect(added).toBe(1);
});

test('a file without a name is stored, unlike the empty one of a browser', async () => {
  const { deps, app } = service;
  const key = { appId: app.app.id, fileId: deps.random.ulid(deps.clock.now()) };
  const limits = { maxBytes: 10_000, leftBytes: null, allowedTypes: null, countWritten() {} };
  const store = (...chunks: Buffer[]) =>
    storeBytes(deps, key, { name: '', declaredType: '', bytes: Readable.from(chunks) }, limits);
  expect((await store(text(10))).size).toBe(10);
  await expect(store()).rejects.toMatchObject({ code: 'files/missing-file' });
});

test('a file that ends within a character is no text', async () => {
  expect(await typeOfChunks(Buffer.concat([text(4_098), first]))).toBe('application/octet-stream');
});
