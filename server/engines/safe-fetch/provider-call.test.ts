import { expect, test } from 'vitest';
import { callProvider } from './provider-call.js';

const longest = 256 * 1_024;

test.each([
  [longest, true],
  [longest + 1, false],
])('an answer of %i bytes is read: %s', async (bytes, isRead) => {
  const answered = callProvider({ fetch: async () => new Response('x'.repeat(bytes)) }, 'https://x.example');
  const outcome = await answered.then(
    ({ body }) => body.length === bytes,
    (error: Error) => error.message,
  );
  expect(outcome).toBe(isRead || `the provider answered more than ${longest} bytes`);
});
