import { expect, test } from 'vitest';
import { isUrl } from './url.js';

test('a URL with accented letters is a URL however often it is asked', () => {
  for (let times = 0; times < 50_000; times += 1) {
    if (!isUrl('https://exämple.com/ä.jpg')) expect.fail(`not the ${times}th time`);
  }
  expect(isUrl('https://')).toBe(false);
});
