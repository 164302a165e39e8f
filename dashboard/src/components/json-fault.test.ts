// The first fault in a JSON text and its position.
import { describe, expect, test } from 'vitest';
import { describeFault, jsonFault } from './json-fault.ts';
import { configNumberFault } from './number-faults.ts';

const faultOf = (text: string, maxLevels = 10) => {
  const fault = jsonFault(text, { maxLevels, numberFault: configNumberFault });
  return fault && describeFault(text, fault);
};

describe('the first fault in a JSON text', () => {
  test.each([
    ['{}'],
    ['[]'],
    [' [1, -2.5e3, 0, true, false, null, "a\\n\\u00e9\\"", {"a": {"b": []}}]\r\n'],
    ['"\u{1f600}"'],
    ['9007199254740991'],
  ])('is none in %j', (text) => {
    expect(faultOf(text)).toBeNull();
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test.each([
    ['', 'Line 1, column 1: a value is missing.'],
    ['{"a": 1,\n  "b": }', 'Line 2, column 8: a value is expected.'],
    ['{"a": 1\n "b": 2}', 'Line 2, column 2: a comma or } is expected.'],
    ['[1, 2,\n]', 'Line 1, column 6: there must be no comma before ].'],
    ['{"a": 1,}', 'Line 1, column 8: there must be no comma before }.'],
    ['{a: 1}', 'Line 1, column 2: a key in double quotes is expected.'],
    ['{"a" 1}', 'Line 1, column 6: a colon is expected after the key.'],
    ["['a']", 'Line 1, column 2: strings are written in double quotes.'],
    ['["a\n"]', 'Line 1, column 2: this string has no closing quote.'],
    ['["a\\x"]', 'Line 1, column 4: this escape sequence is not valid.'],
    ['[01]', 'Line 1, column 2: 01 is not a number as JSON writes it.'],
    ['[True]', 'Line 1, column 2: True is not a value; strings are written in double quotes.'],
    ['{} {}', 'Line 1, column 4: the text continues after the end of the value.'],
    ['[1', 'Line 1, column 3: a comma or ] is expected.'],
  ])('of %j is found where it is', (text, message) => {
    expect(faultOf(text)).toBe(message);
    expect(() => JSON.parse(text)).toThrow();
  });

  test.each([
    ['{"a": 1, "a": 2}', 'Line 1, column 10: the key "a" occurs twice in this object.'],
    [
      '[12345678901234567890]',
      'Line 1, column 2: this integer is too large to be exact; write it as a string.',
    ],
    ['[1e999]', 'Line 1, column 2: this number is too large.'],
    ['[-0]', 'Line 1, column 2: minus zero cannot be stored; write 0.'],
  ])('of %j is one that JSON.parse accepts', (text, message) => {
    expect(faultOf(text)).toBe(message);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test('is the nesting, before it becomes a stack overflow', () => {
    expect(faultOf('[[]]', 2)).toBeNull();
    expect(faultOf('[[[]]]', 2)).toBe('Line 1, column 3: objects and arrays are nested too deeply here.');
    expect(faultOf('['.repeat(1_000_000))).toContain('nested too deeply');
  });
});
