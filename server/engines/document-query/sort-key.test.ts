// Keys sort as values do: compared with an independent comparison that does not use bytes.
import { describe, expect, test } from 'vitest';
import { chanceOf } from '../../test/bad-values.js';
import { jsonValue, valuesInOrder } from '../../test/json-values.js';
import { seed } from '../../test/seed.js';
import { compareValues } from '../../test/value-order.js';
import {
  compareValues as compareAsKeys,
  indexKeyBytes,
  indexKeyOf,
  keysOfType,
  sortKeyOf,
  successor,
  typeOf,
} from './sort-key.js';

test('the documented order of types and values', () => {
  const keys = valuesInOrder.map(sortKeyOf);
  for (const [i, key] of keys.entries()) {
    for (const [j, other] of keys.entries()) {
      expect(Math.sign(Buffer.compare(key, other)), `${i} and ${j}`).toBe(Math.sign(i - j));
    }
  }
});

test('the bytes of stored keys never change', () => {
  const keys: [unknown, string][] = [
    [null, '10'],
    [false, '2000'],
    [true, '2001'],
    [0, '308000000000000000'],
    [1, '30bff0000000000000'],
    [-1, '30400fffffffffffff'],
    ['', '4000'],
    ['a', '406100'],
    [[], '5000'],
    [[null], '501000'],
    [{}, '6000'],
    [{ a: 1 }, '6040610030bff000000000000000'],
  ];
  for (const [value, key] of keys) expect(sortKeyOf(value).toString('hex')).toBe(key);
  // 0x40 and the first 1,499 characters.
  expect(indexKeyOf('a'.repeat(2_000)).toString('hex')).toBe(`40${'61'.repeat(1_499)}`);
});

test('-0 equals 0, and the order of an object’s keys is irrelevant', () => {
  expect(sortKeyOf(-0)).toEqual(sortKeyOf(0));
  expect(sortKeyOf({ a: 1, b: { c: 2, d: 3 } })).toEqual(sortKeyOf({ b: { d: 3, c: 2 }, a: 1 }));
});

describe(`with the seed ${seed}`, () => {
  test('20,000 pairs of values compare as their keys do', () => {
    const chance = chanceOf(seed);
    for (let pair = 0; pair < 20_000; pair += 1) {
      const left = jsonValue(chance);
      const right = chance.oneIn(5) ? structuredClone(left) : jsonValue(chance);
      const key = sortKeyOf(left);
      const expected = Math.sign(compareValues(left, right));
      const isRight =
        key.compare(sortKeyOf(right)) === expected &&
        Math.sign(compareAsKeys(left, right)) === expected &&
        indexKeyOf(left).equals(key.subarray(0, indexKeyBytes));
      // One assertion for each of so many pairs would take most of the time.
      if (!isRight) expect.fail(`the keys are wrong for ${JSON.stringify([left, right])}`);
    }
  });

  test('no key is a prefix of another, so that the range of a type or value contains nothing else', () => {
    const chance = chanceOf(seed + 1);
    for (let pair = 0; pair < 5_000; pair += 1) {
      const [left, right] = [jsonValue(chance), jsonValue(chance)];
      const [key, other] = [sortKeyOf(left), sortKeyOf(right)];
      const isWithin = (from: Buffer, below: Buffer) => other.compare(from) >= 0 && other.compare(below) < 0;
      const isRight =
        key.equals(other) === other.subarray(0, key.length).equals(key) &&
        isWithin(key, successor(key)) === key.equals(other) &&
        isWithin(...keysOfType(typeOf(left))) === (typeOf(left) === typeOf(right));
      if (!isRight) expect.fail(`the ranges are wrong for ${JSON.stringify([left, right])}`);
    }
  });

  test('truncated keys never reverse the order', () => {
    const chance = chanceOf(seed + 2);
    for (let pair = 0; pair < 2_000; pair += 1) {
      const long = () => `${'x'.repeat(indexKeyBytes - 3 + chance.number(4))}${chance.number(10)}`;
      const [left, right] = [long(), long()];
      expect(indexKeyOf(left).length).toBeLessThanOrEqual(indexKeyBytes);
      const truncated = Buffer.compare(indexKeyOf(left), indexKeyOf(right));
      expect([0, Math.sign(compareValues(left, right))]).toContain(truncated);
    }
  });
});

test('a truncated key reads no more of a value than fits into it', () => {
  let read = 0;
  const long = new Proxy(
    Array.from({ length: 100_000 }, () => 1),
    {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) read += 1;
        return Reflect.get(target, name);
      },
    },
  );
  expect(indexKeyOf(long)).toHaveLength(indexKeyBytes);
  // A number takes nine bytes.
  expect(read).toBeLessThan(indexKeyBytes / 9 + 2);
});
