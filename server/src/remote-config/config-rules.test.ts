// The table of valid parameters, and their delivery.
import { limits } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { changedNames, deliveredValues, faultsOf, firstParameters, type Parameters } from './config-rules.js';

const parameter = (type: 'string' | 'number' | 'boolean' | 'json', value: unknown, description = '') => ({
  type,
  value,
  description,
});

test('a new app has the nine parameters of the specification, empty', () => {
  expect(deliveredValues(firstParameters)).toEqual({
    telegram_url: '',
    tiers: '[]',
    exclusive_offers: '[]',
    events: '[]',
    services: '[]',
    cards: '[]',
    payment_infrastructure: '{}',
    concierge: '{}',
    meta_ads: '{}',
  });
  expect(faultsOf(firstParameters)).toEqual({});
});

describe('a value', () => {
  test.each([
    ['string', ''],
    ['string', 'null'],
    ['number', 0],
    ['number', -1.5],
    ['number', 5e-324],
    ['number', 2 ** 53 - 1],
    ['number', -(2 ** 53 - 1)],
    ['boolean', false],
    ['json', []],
    ['json', {}],
    ['json', [null, true, 1.5, 'x', { a: [] }]],
  ] as const)('of the type %s may be %j', (type, value) => {
    expect(faultsOf({ x: parameter(type, value) })).toEqual({});
  });

  test.each([
    ['string', 1, 'must be a string'],
    ['string', null, 'must be a string'],
    ['number', '1', 'must be a number'],
    ['number', Number.POSITIVE_INFINITY, 'exactly'],
    ['number', -0, 'exactly'],
    ['number', 2 ** 53, 'exactly'],
    ['boolean', 0, 'must be a boolean'],
    ['boolean', 'true', 'must be a boolean'],
    ['json', 'text', 'must be an object or a list'],
    ['json', 1, 'must be an object or a list'],
    ['json', true, 'must be an object or a list'],
    ['json', null, 'must be an object or a list'],
    ['json', [[{ a: 2 ** 53 }]], 'exactly'],
    ['json', { a: { b: -(2 ** 53) } }, 'exactly'],
    ['json', { a: 1e300 }, 'exactly'],
    ['json', [Number.NEGATIVE_INFINITY], 'exactly'],
    ['json', [-0], 'exactly'],
  ] as const)('of the type %s is not %j', (type, value, sentence) => {
    const fields = faultsOf({ fine: parameter('boolean', true), x: parameter(type, value) });
    expect(fields).toEqual({ 'parameters.x.value': [expect.stringContaining(sentence)] });
  });
});

describe('a name', () => {
  test.each(['a', '_', 'A9_', `a${'b'.repeat(255)}`])('may be %s', (name) => {
    expect(faultsOf({ [name]: parameter('string', '') })).toEqual({});
  });

  test.each(['', '9a', 'a-b', 'a.b', 'ä', 'a b', 'a\n', `a${'b'.repeat(256)}`])('is not %j', (name) => {
    const fields = faultsOf({ [name]: parameter('string', '') });
    expect(fields).toEqual({ [`parameters.${name}`]: [expect.stringContaining('the name')] });
  });
});

test('what was added, changed or removed is named, and what was only moved is not', () => {
  const before = { a: parameter('number', 1), b: parameter('json', [1]), c: parameter('string', '') };
  const after = { c: parameter('string', ''), b: parameter('json', [2]), d: parameter('number', 1) };
  expect(changedNames(before, after)).toEqual(['a', 'b', 'd']);
  expect(changedNames(before, { ...before, c: parameter('string', '', 'why') })).toEqual(['c']);
});

test('there are at most 500 parameters', () => {
  const many = (count: number): Parameters =>
    Object.fromEntries(
      Array.from({ length: count }, (_, place) => [`p${place}`, parameter('boolean', true)]),
    );
  expect(limits.maxConfigParameters).toBe(500);
  expect(faultsOf(many(500))).toEqual({});
  expect(faultsOf(many(501))).toEqual({ parameters: ['must be at most 500'] });
});

test('names, values and descriptions have at most 1,000,000 characters in total, not bytes', () => {
  // name 1 + value + description 3
  const filled = (characters: number) => ({ x: parameter('string', '😀'.repeat(characters - 4), 'why') });
  expect(faultsOf(filled(1_000_000))).toEqual({});
  expect(faultsOf(filled(1_000_001))).toEqual({ parameters: [expect.stringContaining('1,000,000')] });
  // name 1 + ["…"] 4
  expect(faultsOf({ x: parameter('json', ['y'.repeat(999_995)]) })).toEqual({});
  expect(faultsOf({ x: parameter('json', ['y'.repeat(999_996)]) })).toHaveProperty('parameters');
});

test('the faults of single parameters are named before the size of all', () => {
  const half = 'x'.repeat(limits.maxConfigCharacters / 2);
  const large = { a: parameter('string', half), b: parameter('string', half) };
  expect(Object.keys(faultsOf(large))).toEqual(['parameters']);
  expect(Object.keys(faultsOf({ ...large, c: parameter('number', 'x') }))).toEqual(['parameters.c.value']);
});
