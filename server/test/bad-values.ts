// Odd values from a seeded generator, for tests with random input: the same seed gives the same values.

export type Chance = {
  /** From 0 up to, but not including, `below`. */
  number(below: number): number;
  /** True with a probability of one in `times`. */
  oneIn(times: number): boolean;
  pick<T>(choices: readonly T[]): T;
};

/** mulberry32: small, uniform enough, and platform-independent. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const number = (below: number) => Math.floor(next() * below);
  return {
    number,
    oneIn: (times) => number(times) === 0,
    pick: (choices) => choices[number(choices.length)] as (typeof choices)[number],
  };
}

const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\udfff\ud800',
  '\ufeff',
  '\uffff',
  '\u202egnp.exe',
  '\u200b\u200d\u2060',
  'e\u0301'.repeat(200),
  '\u0e49'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(30),
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  'ﷺ'.repeat(60),
  '\u2028\u2029\r\n\t\v\f',
  '\u0007\u001b[31m',
  "'; DROP TABLE users; --",
  '" OR ""="',
  '$1 {{1}} %s %n %d',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e999',
  '9'.repeat(400),
  '0x7f',
  '١٢٣',
  '2026-13-45T99:99:99.999999Z',
  '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  'ada@example.com',
  'ADA@EXAMPLE.COM ',
  'a@b@c.de',
  '"quoted"@example.com',
  'ada@xn--bcher-kva.example',
  'ü@example.com',
  `${'a'.repeat(64)}@${'b.'.repeat(94)}cd`,
  `${'a'.repeat(300)}@example.com`,
  'javascript:alert(1)',
  'https://user:pass@example.com:99999/',
  'https://[::1',
  `https://example.com/${'x'.repeat(2_100)}`,
  'rt_',
  `rt_${'A'.repeat(94)}`,
  'eyJhbGciOiJub25lIn0.e30.',
];

const oddNumbers = [
  0,
  -0,
  -1,
  1.5,
  1e-320,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  0.1 + 0.2,
  Number.MAX_SAFE_INTEGER + 2,
];
const oddKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '.',
  'a.b',
  '$ne',
  '0',
  'length',
  '\ud83d',
];

/** Throws a TypeError in code that assumes a numeric length or a string. */
const unlikeAnything = {
  length: { toString: 1, valueOf: 1 },
  size: { toString: 1, valueOf: 1 },
  toString: 1,
  valueOf: 1,
};

export function oddText(chance: Chance): string {
  if (chance.oneIn(25)) return chance.pick(oddTexts).repeat(chance.number(2_000));
  if (chance.oneIn(40)) return 'x'.repeat(chance.pick([1_023, 1_024, 1_025, 20_000, 95_000]));
  if (chance.oneIn(4)) {
    const points = Array.from({ length: chance.number(20) }, () => chance.number(0x110000));
    return points.map((point) => String.fromCodePoint(point)).join('');
  }
  return chance.pick(oddTexts);
}

export function oddValue(chance: Chance, depth = 0): unknown {
  const kind = chance.number(depth > 3 ? 6 : 9);
  if (chance.oneIn(20)) return unlikeAnything;
  if (kind < 4) return oddText(chance);
  if (kind === 4) return chance.pick(oddNumbers);
  if (kind === 5) return chance.pick([null, true, false]);
  if (kind === 6) return Array.from({ length: chance.number(5) }, () => oddValue(chance, depth + 1));
  if (kind === 7) return nested(chance.pick([10, 99, 100, 101, 3_000]), chance.oneIn(2));
  return oddObject(chance, [], depth + 1);
}

/** An object with some of the expected keys, some unknown ones, and values of any kind. */
export function oddObject(chance: Chance, expectedKeys: readonly string[], depth = 0): object {
  const entries = expectedKeys.filter(() => !chance.oneIn(4)).map((key) => [key, oddValue(chance, depth)]);
  for (let more = chance.number(3); more > 0; more -= 1) {
    entries.push([chance.oneIn(3) ? oddText(chance) : chance.pick(oddKeys), oddValue(chance, depth + 1)]);
  }
  // From entries, so that __proto__ is a key like any other.
  return Object.fromEntries(entries);
}

/** The bytes of a body: usually JSON of the value, sometimes damaged. */
export function oddBytes(chance: Chance, value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value) ?? '');
  if (!chance.oneIn(8)) return json;
  if (chance.oneIn(2)) return json.subarray(0, chance.number(json.length + 1));
  const damaged = Buffer.from(json);
  for (let bytes = 1 + chance.number(4); bytes > 0 && damaged.length > 0; bytes -= 1) {
    damaged[chance.number(damaged.length)] = chance.number(256);
  }
  return damaged;
}

/** A token with one character changed, removed, doubled or added. */
export function damaged(chance: Chance, token: string): string {
  const at = chance.number(token.length);
  const replaced = chance.pick(['', 'A', '_', '.', '=', '%00', ' ', token[at] + (token[at] as string)]);
  return token.slice(0, at) + replaced + token.slice(at + (chance.oneIn(2) ? 1 : 0));
}

function nested(levels: number, objects: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = objects ? { a: value } : [value];
  return value;
}
