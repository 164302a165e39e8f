import { isAppRoute } from '@ts-rest/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract, EmailInput, ImportUser, limits, NameInput, UploadForm, v1Contract } from './index.js';
import { PasswordInput } from './schemas/credentials.js';
import { text } from './text.js';

type Part = { path: string; schema: z.core.$ZodType };

/** Every schema that a value from outside passes: of bodies, queries, paths and headers, and those within them. */
function inputs(): Part[] {
  const roots: Part[] = [
    { path: 'ImportUser', schema: ImportUser },
    { path: 'UploadForm', schema: UploadForm },
  ];
  for (const tree of [contract, v1Contract]) {
    for (const [group, routes] of Object.entries(tree)) {
      for (const [name, route] of Object.entries(routes) as [string, Record<string, unknown>][]) {
        if (!isAppRoute(route as never)) continue;
        for (const part of ['body', 'query', 'pathParams', 'headers']) {
          const schema = route[part];
          if (schema instanceof z.ZodType) roots.push({ path: `${group}.${name}.${part}`, schema });
        }
      }
    }
  }
  const found: Part[] = [];
  const seen = new Set<unknown>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof z.core.$ZodType) found.push({ path, schema: value });
    const parts = value instanceof z.core.$ZodType ? { ...value._zod.def } : value;
    for (const [key, part] of Object.entries(parts)) walk(part, `${path}.${key}`);
  };
  for (const { path, schema } of roots) walk(schema, path);
  return found;
}

/** What looks at a text before its length was judged. */
function unmeasured({ schema }: Part): boolean {
  const { type, checks = [] } = schema._zod.def as z.core.$ZodStringDef;
  if (type !== 'string') return false;
  const [first] = checks;
  if (first instanceof z.core.$ZodCheckMaxLength) return first._zod.def.abort !== true;
  return checks.length > 0 || schema instanceof z.core.$ZodStringFormat;
}

test('every text of the contract is measured before it is trimmed, normalised, matched or parsed', () => {
  const parts = inputs();
  expect(parts.filter(({ schema }) => schema._zod.def.type === 'string').length).toBeGreaterThan(60);
  expect(parts.filter(unmeasured).map(({ path }) => path)).toEqual([]);
});

test('the walk finds what is measured late, or not at all', () => {
  const late = [
    z.string().trim().max(5),
    z.string().max(5).trim(),
    z.string().regex(/a/),
    z.email(),
    z.string().refine(() => true),
  ];
  for (const schema of late) expect(unmeasured({ path: '', schema })).toBe(true);
  expect(unmeasured({ path: '', schema: text(5).trim().regex(/a/) })).toBe(false);
});

test('what is too long is refused before anything else looks at it', () => {
  let looked = 0;
  const schema = text(5).refine(() => ++looked > 0);
  expect(schema.safeParse('123456').success).toBe(false);
  expect(looked).toBe(0);
  expect(schema.safeParse('12345').success).toBe(true);
});

// Canonical composition is the only step of NFC and NFKC that makes fewer characters of more.
test('the limit before normalising refuses no text that fits after it', () => {
  const encoder = new TextEncoder();
  let longest = 0;
  for (let point = 0; point < 0x3_0000; point += 1) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const whole = String.fromCodePoint(point).normalize('NFC');
    const parts = whole.normalize('NFD');
    if (parts === whole) continue;
    // The first character of the parts may come from a compatibility form of two units; the accents have no such form.
    const units = 2 + [...parts].slice(1).join('').length;
    expect(units).toBeLessThanOrEqual(2 * encoder.encode(whole).length);
    longest = Math.max(longest, parts.length / [...whole].length);
  }
  expect(longest).toBeLessThanOrEqual(6);
});

const widest = '\u{1D400}'; // A mathematical A: two units, one byte once normalised.

test.each([
  ['a password of the most bytes', PasswordInput, 'a'.repeat(limits.maxPasswordBytes), true],
  ['one byte more', PasswordInput, 'a'.repeat(limits.maxPasswordBytes + 1), false],
  ['the most bytes of wide characters', PasswordInput, widest.repeat(limits.maxPasswordBytes), true],
  ['one wide character more', PasswordInput, widest.repeat(limits.maxPasswordBytes + 1), false],
  ['a name of the most characters', NameInput, 'A'.repeat(limits.maxNameCharacters), true],
  ['one character more', NameInput, 'A'.repeat(limits.maxNameCharacters + 1), false],
  [
    'a name of decomposed characters',
    NameInput,
    '\u1f82'.normalize('NFD').repeat(limits.maxNameCharacters),
    true,
  ],
  ['a name of pairs', NameInput, '\u{1F600}'.repeat(limits.maxNameCharacters), true],
  ['an email with white space', EmailInput, ` ${'a'.repeat(60)}@example.com\n`, true],
])('%s', (_, schema, given, passes) => {
  expect(schema.safeParse(given).success).toBe(passes);
});
