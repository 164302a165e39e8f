import { expect, test } from 'vitest';
import { closing } from './closing.js';

test('resources are closed in reverse order, once, and a failure does not prevent the others', async () => {
  const closed: string[] = [];
  const opened = closing();
  for (const name of ['database', 'limits', 'server']) {
    opened.add(async () => {
      closed.push(name);
      if (name === 'limits') throw new Error('it is stuck');
    });
  }
  await expect(opened.close()).rejects.toThrow('it is stuck');
  expect(closed).toEqual(['server', 'limits', 'database']);
  await opened.close();
  expect(closed).toHaveLength(3);
});
