// The numbers that are exactly representable.
import { expect, test } from 'vitest';
import { inexactNumber } from './inexact-number.js';

const exact = [
  ...['0', '-0', '9007199254740991', '-9007199254740991', '9007199254740991e0', '9007199254740991.0'],
  ...['90071992547409910e-1', '-9007199254740.991E3', '9007199254740990.6', '1.5', '0.1', '1E2'],
  ...['1e308', '1.7976931348623157e308', '5e-324', '1e-400', '1e21', '-1E+21', '1000e18'],
  ...['1.50e300', '0.00123e30', '6.02214076e23'],
];

test.each(exact)('%s is exact', (number) => {
  expect(inexactNumber(`{"fields":{"n":${number}}}`)).toBeNull();
});

const inexact = [
  ...['9007199254740992', '-9007199254740992', '9007199254740993', '123456789012345678901234567890'],
  ...['9007199254740993.0', '9007199254740993e0', '90071992547409930e-1', '-90071992547.40993e5'],
  ...['9007199254740993.5', '12345678901234567890.5e1', '12345678901234567890.5e3', '1e16', '1e20'],
  ...['999999999999999999999e0', '1000000000000000000000', '1.00000000000000000001e21'],
  ...['1.7976931348623158e308', '1e400', '-1e400', '1.8e308'],
];

test.each(inexact)('%s is refused', (number) => {
  expect(inexactNumber(`{"fields":{"n":${number}}}`)).toBe('fields.n');
  expect(inexactNumber(`[1, {"a" : [0,{"b":"1e400","c": ${number} }]}]`)).toBe('1.a.1.c');
});

test.each(['1e21', '-1E+21', '1000e18', '1.7976931348623157e308', '5e-324', '123456789.123456789e1'])(
  '%s is exact again after a round trip',
  (number) => {
    expect(inexactNumber(JSON.stringify({ n: JSON.parse(number) }))).toBeNull();
  },
);

test('a number after a list or an object is named by its own path', () => {
  expect(inexactNumber('{"a":[1,2],"b":{"c":[]},"n":1e400}')).toBe('n');
  expect(inexactNumber('[[1],{"a":2},1e400]')).toBe('2');
});

test('digits in a key or a string are not numbers', () => {
  const text = JSON.stringify({
    '1e400': 'a',
    b: '9007199254740993',
    c: '\\"9007199254740993\\\\',
    d: ['"', '1e999'],
  });
  expect(inexactNumber(text)).toBeNull();
});

test('a number under a duplicate key is checked too', () => {
  expect(inexactNumber('{"a":1e400,"a":1}')).toBe('a');
});

test.each([
  ['numbers', `[${'1e5,'.repeat(250_000)}0]`],
  ['one string', `["${'x'.repeat(1_100_000)}"]`],
  ['escapes', `["${'\\\\'.repeat(550_000)}"]`],
  ['brackets', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
])('a body of maximum size is scanned in one pass: %s', (_, text) => {
  const isFast = () => {
    const before = process.cpuUsage();
    expect(inexactNumber(text)).toBeNull();
    const { user, system } = process.cpuUsage(before);
    return user + system < 1_000_000;
  };
  // Processor time of one of three runs: a busy machine slows single runs.
  expect(isFast() || isFast() || isFast()).toBe(true);
});

test('a text that is no object and no list is read too', () => {
  expect(inexactNumber('"1e400"')).toBeNull();
  expect(inexactNumber('1e400')).toBe('');
});
