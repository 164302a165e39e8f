import { expect, test } from 'vitest';
import { progressOn } from './progress.js';

function screen(isTTY?: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  return { written, progress: progressOn(isTTY === undefined ? { write } : { write, isTTY }) };
}

test('a terminal shows a bar on one line, and clears the rest of a shorter line', () => {
  const { written, progress } = screen(true);
  progress.show(0, 'some words');
  progress.show(0.505, 'words');
  progress.show(0.505, 'words');
  progress.show(1, 'words');
  progress.end();
  progress.end();
  expect(written).toEqual([
    `\r[${'.'.repeat(30)}] 0 %  some words`,
    `\r[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %  words    `,
    `\r[${'#'.repeat(30)}] 100 %  words`,
    '\n',
  ]);
});

test('other outputs get one line per ten percent', () => {
  const { written, progress } = screen();
  for (const done of [0, 0.05, 0.1, 0.19, 0.35, 0.351, 1]) progress.show(done, 'words');
  progress.end();
  progress.show(0.2, 'next');
  expect(written).toEqual(['10 %  words\n', '30 %  words\n', '100 %  words\n', '20 %  next\n']);
});
