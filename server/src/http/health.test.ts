import { expect, test } from 'vitest';
import { statementLog, testService } from '../../test/harness.js';

test('any number of /readyz calls query the database once a second', async () => {
  const statements = statementLog();
  let passed = 0;
  const service = await testService({
    onStatement: statements.onStatement,
    overrides: { elapsed: () => passed },
  });
  const ready = async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  try {
    const asked = async () =>
      (await statements.during(() => Promise.all(Array.from({ length: 20 }, ready)))).length;
    expect(await asked()).toBe(1);
    passed = 999;
    expect(await asked()).toBe(0);
    passed = 1_000;
    expect(await asked()).toBe(1);
  } finally {
    await service.stop();
  }
});
