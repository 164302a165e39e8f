import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { graceMilliseconds } from './main.js';

test('calls in progress have the ten seconds that the documentation promises when the service stops', async () => {
  expect(graceMilliseconds).toBe(10_000);
  const page = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
  expect(page.replace(/\s+/g, ' ')).toContain('calls and jobs in progress ten seconds');
});
