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

test('a file that ends within a character is no text', async () => {
  expect(await typeOfChunks(Buffer.concat([text(4_098), first]))).toBe('application/octet-stream');
});
