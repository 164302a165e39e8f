import { expect, test } from 'vitest';
import { judgeRefresh, type RefreshVerdict } from './refresh-rules.js';

const live = { ended: false };

test.each<[string, Parameters<typeof judgeRefresh>, RefreshVerdict]>([
  ['no live session has its id', [null, 0, () => true], 'ended'],
  ['the statement ended the session', [{ ended: true }, 3, () => true], 'ended'],
  ['it ended the session, whatever the secret', [{ ended: true }, 3, () => false], 'ended'],
  ['it was spent just now, by this call', [live, 1, () => true], 'current-token'],
  ['it was spent a moment ago, 64 refreshes back', [live, 64, () => true], 'current-token'],
  ['its chain does not lead to the current token', [live, 1, () => false], 'not-ours'],
  ['its generation is current and its secret is not', [live, 0, () => false], 'not-ours'],
  ['its generation is current and was not spent', [live, 0, () => true], 'too-many'],
  ['its generation never was', [live, -1, () => true], 'not-ours'],
])('a refresh token is checked when %s', (_when, given, verdict) => {
  expect(judgeRefresh(...given)).toBe(verdict);
});

test('no secret is derived for a nonexistent generation or an ended session', () => {
  const derive = () => {
    throw new Error('derived');
  };
  expect(judgeRefresh(live, -1, derive)).toBe('not-ours');
  expect(judgeRefresh({ ended: true }, 1_000_000, derive)).toBe('ended');
  expect(judgeRefresh(null, 0, derive)).toBe('ended');
});
