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

test.each([1, 2, 3, 7, 100])('lines are split correctly in chunks of %i bytes', async (pieceBytes) => {
  expect(await textsOf('one\n\ntwo €\nthree', pieceBytes)).toEqual(['one', '', 'two €', 'three']);
});

test('the last line needs no newline, and a final newline adds no line', async () => {
  expect(await textsOf('one\ntwo\n')).toEqual(['one', 'two']);
  expect(await textsOf('')).toEqual([]);
});

test('a line of maximum length is read, a longer one is reported, and later lines are read', async () => {
  expect(await textsOf('1234567890\n12345678901\nnext')).toEqual(['1234567890', 'too long', 'next']);
  expect(await textsOf('x'.repeat(1_000))).toEqual(['too long']);
});

test('invalid UTF-8 is reported, and a byte order mark is skipped', async () => {
  expect(await textsOf(Buffer.from([0x61, 0xff, 0x0a, 0x62]))).toEqual(['not UTF-8', 'b']);
  expect(await textsOf('\uFEFFone\ntwo')).toEqual(['one', 'two']);
});

test('each line has its number and its end offset in the file', async () => {
  const lines = await linesOf('one\n\n€\n', 2);
  expect(lines.map(({ number, end }) => [number, end])).toEqual([
    [1, 4],
    [2, 5],
    [3, 9],
  ]);
});

test('a line of a gigabyte is not held in memory', async () => {
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
