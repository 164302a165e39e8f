// Hundreds of random queries compared with a naive implementation, with and without indexes, page by page.
import { describe, expect, test } from 'vitest';
import { type Chance, chanceOf } from '../../../test/bad-values.js';
import { asBackend, asking, newCollection } from '../../../test/data-scenario.js';
import { testService } from '../../../test/harness.js';
import { jsonValue } from '../../../test/json-values.js';
import { type Asked, at, expectedIds, type Kept } from '../../../test/query-oracle.js';
import { seed } from '../../../test/seed.js';
import { shared } from '../../../test/shared.js';
import { inFull } from '../../../test/thorough.js';

const service = shared(() => testService());
const data = asBackend(service);

const { idsOf, pagesOf } = asking(() => service);

const paths = ['a', 'b', 'c.d', 'c.e', 'a.b', '$id'];
const ops = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'array-contains', 'array-contains-any'];

function randomFields(chance: Chance): Record<string, unknown> {
  const maybe = (key: string, value: () => unknown) => (chance.oneIn(4) ? {} : { [key]: value() });
  return {
    ...maybe('a', () => (chance.oneIn(3) ? jsonValue(chance) : chance.number(6))),
    ...maybe('b', () => (chance.oneIn(2) ? [chance.number(3), chance.pick(['x', null])] : jsonValue(chance))),
    ...maybe('c', () => ({
      ...maybe('d', () => chance.pick(['x', 'y', 'ä', 1])),
      ...maybe('e', () => jsonValue(chance)),
    })),
  };
}

function randomQuery(chance: Chance, records: Kept[]): Asked {
  const operand = (field: string) => {
    const value = at(chance.pick(records), field);
    return value === undefined || chance.oneIn(4) ? jsonValue(chance) : value;
  };
  const where = Array.from({ length: chance.number(3) }, () => {
    const field = chance.pick(paths);
    const op = chance.pick(ops);
    const takesList = ['in', 'not-in', 'array-contains-any'].includes(op);
    const element = op.startsWith('array') ? () => chance.pick([0, 1, 2, 'x', null]) : () => operand(field);
    return {
      field,
      op,
      value: takesList ? Array.from({ length: 1 + chance.number(3) }, element) : element(),
    };
  });
  const fields = [...paths].sort(() => chance.number(3) - 1).slice(0, chance.number(3));
  const orderBy = fields.map((field) => ({ field, direction: chance.pick(['asc', 'desc'] as const) }));
  return { where, orderBy };
}

describe(`random queries with the seed ${seed}`, () => {
  test.each([
    ['without an index', [], 0],
    ['with two indexes', ['a', 'c.d'], 1],
    ['with indexes on all fields', ['a', 'b', 'c.d', 'c.e'], 2],
  ] as const)('match the naive implementation, %s', async (_, indexed_fields, more) => {
    const chance = chanceOf(seed + more);
    const name = await newCollection(service, { indexed_fields: [...indexed_fields] });
    const records: Kept[] = [];
    for (let i = 0; i < inFull(100, 60); i += 1) {
      const id = `${chance.pick(['a', 'B', '_', '-'])}${i}`;
      const fields = randomFields(chance);
      records.push({ id, fields });
      // A quarter of the records had other fields before.
      if (chance.oneIn(4)) await data.put(name, id, randomFields(chance));
      await data.put(name, id, fields);
    }
    for (let i = 0; i < inFull(100, 15); i += 1) {
      const asked = randomQuery(chance, records);
      const expected = expectedIds(records, asked);
      expect([asked, await idsOf(name, { ...asked, limit: 500 })]).toEqual([asked, expected]);
      if (chance.oneIn(3)) {
        const limit = 1 + chance.number(40);
        expect([asked, limit, await pagesOf(name, { ...asked, limit })]).toEqual([asked, limit, expected]);
      }
    }
  });
});
