// The draft of a remote config: rows, faults and what is published; and values copied from another app.
import { describe, expect, test } from 'vitest';
import { type Change, faultsOf, hasEffect, parametersWith, rowsOf, usageOf, withChange } from './draft.ts';
import { type EditedParameter, editedOf, type Parameters, valueFault } from './parameter.ts';
import { changesTo, exportedText, importedParameters } from './transfer.ts';

const parameters: Parameters = {
  b: { type: 'number', value: 1.5, description: 'Half' },
  a: { type: 'json', value: { z: 1, y: [] }, description: '' },
};
const before = { name: 'b', ...parameters.b! };
const edited = (changed: Partial<EditedParameter>): Change => ({
  id: 'b',
  before,
  after: { ...editedOf(before), ...changed },
});

describe('a draft', () => {
  test('is empty again once every change is taken back', () => {
    const changed = withChange([], edited({ text: '2' }));
    expect(changed).toHaveLength(1);
    expect(withChange(changed, edited({}))).toEqual([]);
  });

  test('keeps what writes the same value differently while it is being typed, without counting it', () => {
    const typed = withChange([], edited({ text: '1.50' }));
    expect(typed[0]?.after?.text).toBe('1.50');
    expect(typed.filter(hasEffect)).toEqual([]);
    expect(rowsOf(parameters, typed).map(({ state }) => state)).toEqual(['unchanged', 'unchanged']);
    expect(withChange(typed, edited({ text: '1.505' })).filter(hasEffect)).toHaveLength(1);
  });

  test('publishes in the order of the version, with additions last', () => {
    const added: Change = {
      id: 'new:1',
      before: null,
      after: { name: 'c', type: 'boolean', text: 'true', description: '' },
    };
    const published = parametersWith(parameters, [added, edited({ name: 'renamed' })]);
    expect(Object.keys(published)).toEqual(['renamed', 'a', 'c']);
    expect(published.c?.value).toBe(true);
    expect(published.a).toBe(parameters.a);
  });

  test('lists every parameter once, sorted, with its state', () => {
    const rows = rowsOf(parameters, [edited({ text: '2' })]);
    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'unchanged'],
      ['b', 'changed'],
    ]);
  });

  test('finds names in use, names that are not allowed, and values that are not of the type', () => {
    const faultWith = (changed: Partial<EditedParameter>) =>
      faultsOf(rowsOf(parameters, [edited(changed)])).get('b');
    expect(faultWith({ name: 'a' })).toEqual({ name: 'Another parameter has this name.' });
    expect(faultWith({ name: '1st' })?.name).toContain('Names begin with a letter');
    expect(faultWith({ name: '__proto__' })?.name).toBe('This name cannot be used.');
    expect(faultWith({ text: 'one' })?.value).toContain('Enter a number');
    expect(faultWith({ description: 'x'.repeat(1_001) })?.description).toBe('At most 1000 characters.');
    expect(faultWith({ text: '2' })).toBeUndefined();
  });

  test('counts characters as the service does: names, values as apps receive them, descriptions', () => {
    expect(usageOf(rowsOf(parameters, []))).toEqual({
      parameters: 2,
      characters: 'b1.5Half'.length + 'a{"z":1,"y":[]}'.length,
    });
    const emoji = { c: { type: 'string', value: '\u{1f600}', description: '' } } as const;
    expect(usageOf(rowsOf(emoji, [])).characters).toBe(2);
  });
});

test.each([
  ['number', '12', null],
  ['number', '-0', 'Minus zero cannot be stored; write 0.'],
  ['number', '9007199254740993', 'This integer is too large to be exact; write it as a string.'],
  ['json', '{"a": }', 'Line 1, column 7: a value is expected.'],
  ['json', '"text"', 'Enter an object or an array; other values have a type of their own.'],
] as const)('a %s %j has the fault %j', (type, text, fault) => {
  expect(valueFault({ type, text })).toBe(fault);
});

describe('values as JSON', () => {
  test('of an export are the same in the other app', () => {
    expect(importedParameters(exportedText(parameters), {})).toEqual({ parameters });
  });

  test('by name have the types of JSON and keep the descriptions', () => {
    expect(importedParameters('{"b": 2, "on": true, "list": []}', parameters)).toEqual({
      parameters: {
        b: { type: 'number', value: 2, description: 'Half' },
        on: { type: 'boolean', value: true, description: '' },
        list: { type: 'json', value: [], description: '' },
      },
    });
  });

  test.each([
    ['[]', 'The JSON must be an object with the parameters by name.'],
    ['{}', 'The JSON has no parameters.'],
    ['{"a": null}', 'a: Null cannot be a value.'],
    ['{"a": {"type": "number", "value": "1"}}', 'a: The value is not of the type number.'],
  ])('%s are refused', (text, fault) => {
    expect(importedParameters(text, {})).toEqual({ fault });
  });
});

test('an import changes and adds parameters, and removes others only if asked', () => {
  const wanted: Parameters = { a: parameters.a!, c: { type: 'string', value: '1', description: '' } };
  const published = (removeOthers: boolean) =>
    parametersWith(parameters, changesTo(parameters, wanted, removeOthers));
  expect(published(false)).toEqual({ ...parameters, c: wanted.c });
  expect(published(true)).toEqual(wanted);
  expect(changesTo(parameters, parameters, true)).toEqual([]);
});
