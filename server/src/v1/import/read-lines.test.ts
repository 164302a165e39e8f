import { expect, test } from 'vitest';
import { readLines } from './read-lines.js';

async function linesOf(text: string | Uint8Array, pieceBytes = 3, maxBytes = 10) {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const lines = [];
  for await (const line of readLines(pieces(), maxBytes)) lines.push(line);
  return lines;
}

const textsOf = async (...input: Parameters<typeof linesOf>) =>
  (await linesOf(...input)).map(({ text, problem }) => text ?? problem);

test.each([1, 2, 3, 7, 100])('lines are told apart wherever a piece of %i bytes ends', async (pieceBytes) => {
  expect(await textsOf('one\n\ntwo €\nthree', pieceBytes)).toEqual(['one', '', 'two €', 'three']);
});

test('the last line needs no end, and an end makes no further line', async () => {
  expect(await textsOf('one\ntwo\n')).toEqual(['one', 'two']);
  expect(await textsOf('')).toEqual([]);
});

test('a line may be as long as is allowed and no longer, and those after it are read', async () => {
  expect(await textsOf('1234567890\n12345678901\nnext')).toEqual(['1234567890', 'too long', 'next']);
  expect(await textsOf('x'.repeat(1_000))).toEqual(['too long']);
});

test('what is no UTF-8 is told, and a mark of the byte order is left out', async () => {
  expect(await textsOf(Buffer.from([0x61, 0xff, 0x0a, 0x62]))).toEqual(['not UTF-8', 'b']);
  expect(await textsOf('\uFEFFone\ntwo')).toEqual(['one', 'two']);
});

test('each line has its number, and tells how much of the file is read', async () => {
  const lines = await linesOf('one\n\n€\n', 2);
  expect(lines.map(({ number, end }) => [number, end])).toEqual([
    [1, 4],
    [2, 5],
    [3, 9],
  ]);
});

test('of a line of a gigabyte no more is held than a line may have', async () => {
  const piece = Buffer.alloc(1024 * 1024, 0x78);
  async function* gigabyte() {
    for (let sent = 0; sent < 1_024; sent += 1) yield piece;
    yield Buffer.from('\nend\n');
  }
  const before = process.memoryUsage().arrayBuffers;
  const lines = [];
  for await (const { problem, text } of readLines(gigabyte(), 4 * 1024 * 1024)) lines.push(text ?? problem);
  expect(lines).toEqual(['too long', 'end']);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});
