// A draft applied to a newer version.
import { expect, test } from 'vitest';
import { type Change, parametersWith } from './draft.ts';
import { editedOf, type Parameters } from './parameter.ts';
import { reapplied } from './reapply.ts';

const text = (value: string) => ({ type: 'string', value, description: '' }) as const;
const base: Parameters = { a: text('1'), b: text('1') };

const set = (name: string, value: string): Change => ({
  id: name,
  before: name in base ? { name, ...text('1') } : null,
  after: editedOf({ name, ...text(value) }),
});
const remove = (name: string): Change => ({ id: name, before: { name, ...text('1') }, after: null });
const rename = (name: string, to: string): Change => ({
  id: name,
  before: { name, ...text('1') },
  after: editedOf({ name: to, ...text('1') }),
});

test.each([
  [
    'changes what only it changed',
    set('a', '2'),
    { a: text('1'), b: text('9') },
    { a: text('2'), b: text('9') },
  ],
  [
    'replaces what both changed',
    set('a', '2'),
    { a: text('3'), b: text('1') },
    { a: text('2'), b: text('1') },
  ],
  [
    'adds a changed parameter that was removed',
    set('a', '2'),
    { b: text('1') },
    { b: text('1'), a: text('2') },
  ],
  ['removes what did not change', remove('a'), { a: text('1'), b: text('9') }, { b: text('9') }],
  ['removes what was changed', remove('a'), { a: text('3'), b: text('1') }, { b: text('1') }],
  ['adds a parameter', set('c', '2'), base, { ...base, c: text('2') }],
  [
    'replaces a parameter that was added meanwhile',
    set('c', '2'),
    { ...base, c: text('3') },
    { ...base, c: text('2') },
  ],
  ['renames', rename('a', 'c'), base, { c: text('1'), b: text('1') }],
  [
    'replaces a parameter of its new name',
    rename('a', 'c'),
    { ...base, c: text('3') },
    { b: text('1'), c: text('1') },
  ],
] as const)('a draft applied to a newer version %s', (_, change, newest, published) => {
  expect(parametersWith(newest, reapplied([change], newest))).toEqual(published);
});

test.each([
  ['the same value', set('a', '2'), { a: text('2'), b: text('1') }],
  ['the same removal', remove('a'), { b: text('1') }],
  ['the same new name', rename('a', 'c'), { b: text('1'), c: text('1') }],
] as const)('a draft is empty where the newer version has %s', (_, change, newest) => {
  expect(reapplied([change], newest)).toEqual([]);
});
