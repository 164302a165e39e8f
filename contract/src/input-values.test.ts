import { isAppRoute } from '@ts-rest/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { contract, EmailInput, ImportUser, limits, NameInput, UploadForm, v1Contract } from './index.js';
import { list, text, trimmedText } from './input-values.js';
import { PasswordInput } from './schemas/credentials.js';

type Part = { path: string; schema: z.core.$ZodType };

/** Every schema of a body, query, path, header or response, and every schema inside it. */
function schemasOfContract(): Part[] {
  const roots: Part[] = [
    { path: 'ImportUser', schema: ImportUser },
    { path: 'UploadForm', schema: UploadForm },
  ];
  for (const [group, routes] of [...Object.entries(contract), ...Object.entries(v1Contract)]) {
    for (const [name, route] of Object.entries(routes) as [string, Record<string, unknown>][]) {
      if (!isAppRoute(route as never)) continue;
      for (const part of ['body', 'query', 'pathParams', 'headers']) {
        const schema = route[part];
        if (schema instanceof z.ZodType) roots.push({ path: `${group}.${name}.${part}`, schema });
      }
    }
  }
  return roots.flatMap(({ path, schema }) => schemasIn(schema, path));
}

function schemasIn(root: unknown, from: string): Part[] {
  const found: Part[] = [];
  const seen = new Set<unknown>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof z.core.$ZodType) found.push({ path, schema: value });
    const parts = value instanceof z.core.$ZodType ? { ...value._zod.def } : value;
    for (const [key, part] of Object.entries(parts)) walk(part, `${path}.${key}`);
  };
  walk(root, from);
  return found;
}

/** Its length cannot be compared with anything. */
const unlikeAnything = { length: { toString: 1, valueOf: 1 } };

/** True for a string or array schema that reads the length of a value that is neither. */
function measuresAnything({ schema }: Part): boolean {
  if (!['string', 'array'].includes(schema._zod.def.type)) return false;
  try {
    z.safeParse(schema, unlikeAnything);
    return false;
  } catch {
    return true;
  }
}

/** True for a string schema with a check that runs before the check of the maximum length. */
function measuresLate({ schema }: Part): boolean {
  const { type, checks = [] } = schema._zod.def as z.core.$ZodStringDef;
  if (type !== 'string') return false;
  const [first] = checks;
  if (first instanceof z.core.$ZodCheckMaxLength) return first._zod.def.abort !== true;
  return checks.length > 0 || schema instanceof z.core.$ZodStringFormat;
}

const parts = schemasOfContract();

test('the traversal finds the schemas of the contract', () => {
  expect(parts.filter(({ schema }) => schema._zod.def.type === 'string').length).toBeGreaterThan(60);
  expect(parts.filter(({ schema }) => schema._zod.def.type === 'array').length).toBeGreaterThan(8);
});

test('every length in the contract is checked by text() or list(), never by .min() or .max()', () => {
  expect(parts.filter(measuresAnything).map(({ path }) => path)).toEqual([]);
});

test('every string of the contract has its length checked before it is trimmed, normalised, matched or parsed', () => {
  expect(parts.filter(measuresLate).map(({ path }) => path)).toEqual([]);
});

test('the traversal finds checks of zod that would throw, and checks that run late', () => {
  const throwing = [
    z.string().max(5),
    z.string().trim().min(1),
    z.array(z.string()).max(5),
    z.array(z.string()).length(2),
    text({ max: 9 }).min(1),
  ];
  for (const schema of throwing) {
    const inside = schemasIn(z.object({ a: z.union([schema, z.null()]).optional() }), '');
    expect(inside.filter(measuresAnything).map((part) => part.schema)).toContain(schema);
  }
  const late = [
    z.string().trim().max(5),
    z.string().max(5).trim(),
    z.string().regex(/a/),
    z.email(),
    z.string().refine(() => true),
  ];
  for (const schema of late) expect(measuresLate({ path: '', schema })).toBe(true);
  const good = text({ max: 5 }).trim().regex(/a/);
  expect([measuresLate, measuresAnything].map((check) => check({ path: '', schema: good }))).toEqual([
    false,
    false,
  ]);
});

test('a value of another type gets one error, which names the type', () => {
  const messages = (schema: z.ZodType, value: unknown) =>
    schema.safeParse(value).error?.issues.map(({ code }) => code);
  for (const value of [{ length: 0 }, { length: 9 }, unlikeAnything]) {
    expect(messages(text({ min: 1, max: 5 }), value)).toEqual(['invalid_type']);
    expect(messages(list(z.string(), { min: 1, max: 5 }), value)).toEqual(['invalid_type']);
  }
});

test.each<[string, z.ZodType, unknown, unknown]>([
  ['text', text({ min: 2, max: 3 }), ['a', 'abcd', ''], ['ab', 'abc', '\u{1F600}'.repeat(3)]],
  ['trimmedText', trimmedText({ min: 1, max: 2 }), [' ', ' abc '], [' ab ', 'e\u0301e\u0301']],
  ['list', list(z.int(), { min: 1, max: 2 }), [[], [1, 2, 3]], [[1], [1, 2]]],
])('%s() accepts lengths from its minimum to its maximum', (_, schema, refused, accepted) => {
  for (const value of refused as unknown[]) expect(schema.safeParse(value).success).toBe(false);
  for (const value of accepted as unknown[]) expect(schema.safeParse(value).success).toBe(true);
});

test('no later check reads a string that is too long', () => {
  let calls = 0;
  const schema = text({ max: 5 }).refine(() => ++calls > 0);
  expect(schema.safeParse('123456').success).toBe(false);
  expect(calls).toBe(0);
  expect(schema.safeParse('12345').success).toBe(true);
});

// Canonical composition is the only step of NFC and NFKC that reduces the number of code points.
test('the limit before normalising accepts every text that fits after it', () => {
  const encoder = new TextEncoder();
  let longest = 0;
  for (let point = 0; point < 0x3_0000; point += 1) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const whole = String.fromCodePoint(point).normalize('NFC');
    const parts = whole.normalize('NFD');
    if (parts === whole) continue;
    // The first code point may be a compatibility form of two code units; combining characters have no such form.
    const units = 2 + [...parts].slice(1).join('').length;
    expect(units).toBeLessThanOrEqual(2 * encoder.encode(whole).length);
    longest = Math.max(longest, parts.length / [...whole].length);
  }
  expect(longest).toBeLessThanOrEqual(6);
});

const widest = '\u{1D400}'; // A mathematical A: two code units, one byte after normalisation.

test.each([
  ['a password of the maximum number of bytes', PasswordInput, 'a'.repeat(limits.maxPasswordBytes), true],
  ['a password with one byte more', PasswordInput, 'a'.repeat(limits.maxPasswordBytes + 1), false],
  [
    'the maximum number of bytes in wide characters',
    PasswordInput,
    widest.repeat(limits.maxPasswordBytes),
    true,
  ],
  [
    'a password with one wide character more',
    PasswordInput,
    widest.repeat(limits.maxPasswordBytes + 1),
    false,
  ],
  ['a name of the maximum number of characters', NameInput, 'A'.repeat(limits.maxNameCharacters), true],
  ['a name with one character more', NameInput, 'A'.repeat(limits.maxNameCharacters + 1), false],
  [
    'a name of decomposed characters',
    NameInput,
    '\u1f82'.normalize('NFD').repeat(limits.maxNameCharacters),
    true,
  ],
  ['a name of surrogate pairs', NameInput, '\u{1F600}'.repeat(limits.maxNameCharacters), true],
  ['an email with white space', EmailInput, ` ${'a'.repeat(60)}@example.com\n`, true],
])('%s', (_, schema, given, passes) => {
  expect(schema.safeParse(given).success).toBe(passes);
});
