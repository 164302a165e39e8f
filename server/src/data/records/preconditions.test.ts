// The table of preconditions.
import { expect, test } from 'vitest';
import { preconditionsHold } from './preconditions.js';

test.each([
  [{}, null, true],
  [{}, 3, true],
  [{ ifMatch: '"3"' }, 3, true],
  [{ ifMatch: '"3"' }, 4, false],
  [{ ifMatch: '"3"' }, null, false],
  [{ ifMatch: '"2", "3"' }, 3, true],
  [{ ifMatch: 'W/"3"' }, 3, true],
  [{ ifMatch: '3' }, 3, true],
  [{ ifMatch: '' }, 3, false],
  [{ ifMatch: '*' }, 3, true],
  [{ ifMatch: '*' }, null, false],
  [{ ifNoneMatch: '*' }, null, true],
  [{ ifNoneMatch: '*' }, 3, false],
  [{ ifNoneMatch: '"3"' }, 3, false],
  [{ ifNoneMatch: 'W/"3"' }, 3, false],
  [{ ifNoneMatch: '"2"' }, 3, true],
  [{ ifMatch: '"3"', ifNoneMatch: '*' }, 3, false],
] as const)('%j on version %s: %s', (preconditions, version, held) => {
  expect(preconditionsHold(version, preconditions)).toBe(held);
});
