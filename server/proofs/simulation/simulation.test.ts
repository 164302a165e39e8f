// Seeded schedules of the session, v1 and code operations against the model; `npm run simulate` runs a hundred thousand.
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { seed } from '../../test/seed.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { simulate } from './simulate.js';

const service = shared(() => testService());
const count = inFull(1_000, 150);

test(`${count} schedules from seed ${seed} are answered as the model of the specification answers`, async () => {
  const { schedules, failures } = await simulate(service, { seed, count });
  expect(failures.map(({ seed, why }) => `seed ${seed}: ${why}`)).toEqual([]);
  expect(schedules).toBe(count);
});
