// The fuzzer in short, in thorough runs only: bad-input.test.ts covers every route in each run. `npm run fuzz` runs it in full.
import { expect, test } from 'vitest';
import { seed } from '../../test/seed.js';
import { thorough } from '../../test/thorough.js';
import { fuzz } from './fuzz.js';

const count = 5_000;

test.runIf(thorough)(
  `${count} hostile inputs from seed ${seed} get only answers that the OpenAPI document describes`,
  async () => {
    const { inputs, problems } = await fuzz({ seed, count });
    expect(problems).toEqual([]);
    expect(inputs).toBe(count);
  },
);
