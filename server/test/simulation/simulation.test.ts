// Seeded schedules of the session, v1 and code operations against the model; `npm run simulate` runs a hundred thousand.
import { expect, test } from 'vitest';
import { testService } from '../harness.js';
import { seed } from '../seed.js';
import { shared } from '../shared.js';
import { inFull } from '../thorough.js';
import { simulate } from './simulate.js';

const service = shared(() => testService());
const count = inFull(1_000, 150);

test(`${count} schedules from seed ${seed} are answered as the model of the specification answers`, async () => {
  const { schedules, failures } = await simulate(service, { seed, count });
  expect(failures.map(({ seed, why }) => `seed ${seed}: ${why}`)).toEqual([]);
  expect(schedules).toBe(count);
});
