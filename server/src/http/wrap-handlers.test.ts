import { expect, test } from 'vitest';
import { wrapHandlers } from './wrap-handlers.js';

test('a handler of a route that the contract does not have stops the start', () => {
  expect(() => wrapHandlers({}, { renamed: () => {} }, (_route, handler) => handler)).toThrow(
    'the contract has no renamed',
  );
});
