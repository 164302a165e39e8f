import { isAppRoute } from '@ts-rest/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract, ImportUser, NameInput, UploadForm, v1Contract } from './index.js';
import { measureTextsAndArraysAlone } from './lengths.js';

/** Its length can be compared with nothing. */
const unlikeAnything = { length: { toString: 1, valueOf: 1 } };

const bodies: [string, z.ZodType][] = [...Object.entries(contract), ...Object.entries(v1Contract)].flatMap(
  ([group, routes]) =>
    Object.entries(routes).flatMap(([name, route]) =>
      isAppRoute(route) && 'body' in route && route.body instanceof z.ZodType
        ? [[`${group}.${name}`, route.body] as [string, z.ZodType]]
        : [],
    ),
);
bodies.push(['ImportUser', ImportUser], ['UploadForm', UploadForm]);

test('there are bodies to be tried', () => {
  expect(bodies.length).toBeGreaterThan(30);
});

test.each(bodies)('the body of %s judges what has a length that is no number', (_, body) => {
  const names = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
  const values = [
    unlikeAnything,
    ...names.flatMap((name) => [{ [name]: unlikeAnything }, { [name]: [unlikeAnything] }]),
    Object.fromEntries(names.map((name) => [name, { [name]: unlikeAnything }])),
  ];
  for (const value of values) expect(() => body.safeParse(value)).not.toThrow();
});

test('what is no text is told as that, and not measured', () => {
  expect(NameInput.safeParse({ length: 0 }).error?.issues.map(({ message }) => message)).toEqual([
    'must be a string',
  ]);
});

test('texts and arrays are measured, wherever a schema holds them', () => {
  const schema = z.object({
    a: z.string().min(2).optional(),
    b: z.array(z.string().max(1)).max(1),
    c: z.union([z.string().length(3), z.record(z.string(), z.string().min(1))]),
  });
  measureTextsAndArraysAlone({ schema });
  for (const part of ['a', 'b', 'c']) {
    const good = { a: 'ab', b: ['a'], c: { key: 'a' } };
    expect(() => schema.safeParse({ ...good, [part]: unlikeAnything })).not.toThrow();
    expect(schema.safeParse(good).success).toBe(true);
  }
  const wrong = [
    { a: 'a', b: [], c: 'abc' },
    { b: ['a', 'a'], c: 'abc' },
    { b: ['ab'], c: 'abc' },
    { b: [], c: 'ab' },
  ];
  for (const value of wrong) expect(schema.safeParse(value).success).toBe(false);
});
