// Moving a draft to a newer version, parameter by parameter.
import { describe, expect, test } from 'vitest';
import { type Change, parametersWith } from './draft.ts';
import { editedOf, type Parameters } from './parameter.ts';
import { changesTo, rebase, resolved } from './rebase.ts';

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

describe('a draft on a newer version', () => {
  test.each([
    ['keeps a change of what only the draft changed', set('a', '2'), { a: text('1'), b: text('9') }, 'kept'],
    [
      'drops a change that the newer version has too',
      set('a', '2'),
      { a: text('2'), b: text('1') },
      'dropped',
    ],
    ['asks about a parameter that both changed', set('a', '2'), { a: text('3'), b: text('1') }, 'conflict'],
    ['asks about a changed parameter that was removed', set('a', '2'), { b: text('1') }, 'conflict'],
    ['keeps a removal of what did not change', remove('a'), { a: text('1'), b: text('9') }, 'kept'],
    ['drops a removal of what is gone', remove('a'), { b: text('1') }, 'dropped'],
    ['asks about a removed parameter that was changed', remove('a'), { a: text('3') }, 'conflict'],
    ['keeps an addition', set('c', '2'), base, 'kept'],
    ['asks about an addition of a name in use', set('c', '2'), { ...base, c: text('3') }, 'conflict'],
    ['keeps a new name', rename('a', 'c'), base, 'kept'],
    ['asks about a new name in use', rename('a', 'c'), { ...base, c: text('3') }, 'conflict'],
    [
      'drops a new name that the newer version has',
      rename('a', 'c'),
      { b: text('1'), c: text('1') },
      'dropped',
    ],
  ] as const)('%s', (_, change, newest, verdict) => {
    const { kept, conflicts } = rebase([change], newest);
    const found = kept.length > 0 ? 'kept' : conflicts.length > 0 ? 'conflict' : 'dropped';
    expect(found).toBe(verdict);
  });

  test.each([
    ['changed', set('a', '2'), { a: text('3'), b: text('1') }, { a: text('2'), b: text('1') }],
    ['changed, removed there', set('a', '2'), { b: text('1') }, { b: text('1'), a: text('2') }],
    ['removed', remove('a'), { a: text('3'), b: text('1') }, { b: text('1') }],
    ['added', set('c', '2'), { ...base, c: text('3') }, { ...base, c: text('2') }],
    ['renamed', rename('a', 'c'), { ...base, c: text('3') }, { b: text('1'), c: text('1') }],
  ] as const)('publishes my side of a conflict, or theirs: %s', (_, change, newest, mine) => {
    const merged = rebase([change], newest);
    expect(parametersWith(newest, resolved(merged, newest, new Set([change.id])))).toEqual(mine);
    expect(parametersWith(newest, resolved(merged, newest, new Set()))).toEqual(newest);
  });
});

describe('imported parameters', () => {
  test('change and add, and remove others only if asked', () => {
    const wanted: Parameters = { a: text('1'), c: text('1') };
    expect(parametersWith(base, changesTo(base, wanted, false))).toEqual({ ...base, c: text('1') });
    expect(parametersWith(base, changesTo(base, wanted, true))).toEqual(wanted);
    expect(changesTo(base, base, true)).toEqual([]);
  });
});
