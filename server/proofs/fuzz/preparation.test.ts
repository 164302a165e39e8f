// An answer of 500 to a call that prepares a round is reported, although the round goes on with a new app.
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { preparation } from './preparation.js';

const service = shared(() => testService());

test('a 5xx while rows are prepared is reported, though the next attempt succeeds', async () => {
  const { prisma } = service.database;
  const problems: string[] = [];
  const prepare = preparation(service.deps.metrics, problems);
  await prisma.$executeRaw`ALTER TABLE users RENAME COLUMN first_name TO other`;
  const user = await prepare(
    () => service.signUp(),
    () => prisma.$executeRaw`ALTER TABLE users RENAME COLUMN other TO first_name`,
  );
  expect(user.uid).toBeTruthy();
  await expect.poll(() => problems).toEqual(['POST /auth/sign-up answered 500 while rows were prepared']);
});

test('a refusal while rows are prepared is not reported', async () => {
  const problems: string[] = [];
  const prepare = preparation(service.deps.metrics, problems);
  const password = ['short', 'correct horse battery staple'];
  await prepare(
    () => service.signUp({ password: password.shift() ?? '' }),
    async () => {},
  );
  expect(problems).toEqual([]);
});
