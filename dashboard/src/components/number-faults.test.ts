// The editors refuse the numbers that the service refuses, and those that would be rounded on the way.
import { expect, test } from 'vitest';
import { configNumberFault, recordNumberFault } from './number-faults.ts';

const rounded = 'this integer is too large to be exact; write it as a string.';
const tooLarge = 'this number is too large.';

test.each([
  ['0', null, null],
  ['-0', 'minus zero cannot be stored; write 0.', null],
  ['1.5', null, null],
  ['9007199254740991', null, null],
  ['9007199254740992', rounded, rounded],
  ['1e20', rounded, rounded],
  ['1e21', rounded, null],
  ['1e+21', rounded, null],
  ['-6.02214076E23', rounded, null],
  ['1.00000000000000000001e21', rounded, rounded],
  ['1000000000000000000000', rounded, rounded],
  ['1e400', tooLarge, tooLarge],
])('%s in the remote config: %j, in a record: %j', (text, inConfig, inRecord) => {
  expect([configNumberFault(text), recordNumberFault(text)]).toEqual([inConfig, inRecord]);
});
