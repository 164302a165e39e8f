import { expect, test } from 'vitest';
import { checkRefresh, type RefreshVerdict } from './refresh-rules.js';

const live = { reused: false };

test.each<[string, Parameters<typeof checkRefresh>, RefreshVerdict]>([
  ['no live session has its id', [null, 0, () => true], 'ended'],
  ['it was spent before the reuse window', [{ reused: true }, 3, () => true], 'reused'],
  ['it was spent before the window, whatever its secret', [{ reused: true }, 3, () => false], 'reused'],
  ['it was spent just now, by this call', [live, 1, () => true], 'current-token'],
  ['it was spent a moment ago, 64 refreshes back', [live, 64, () => true], 'current-token'],
  ['its chain does not lead to the current token', [live, 1, () => false], 'not-ours'],
  ['its generation is current and its secret is not', [live, 0, () => false], 'not-ours'],
  ['its generation is current and was not spent', [live, 0, () => true], 'too-many'],
  ['its generation never was', [live, -1, () => true], 'not-ours'],
])('a refresh token is checked when %s', (_when, given, verdict) => {
  expect(checkRefresh(...given)).toBe(verdict);
});

test('no secret is derived for a nonexistent generation or a reused token', () => {
  const derive = () => {
    throw new Error('derived');
  };
  expect(checkRefresh(live, -1, derive)).toBe('not-ours');
  expect(checkRefresh({ reused: true }, 1_000_000, derive)).toBe('reused');
  expect(checkRefresh(null, 0, derive)).toBe('ended');
});
