import { expect, test } from 'vitest';
import * as z from 'zod';
import { contract, errorMap } from './index.js';

const object = z.strictObject({ size: z.int().min(1).max(9) });

const many = Array.from({ length: 1_000 }, (_, place) => `${place + 100_000}`);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is missing'],
  [z.enum(['a', 'b']), undefined, 'is missing'],
  [z.union([z.string(), z.boolean()]), undefined, 'is missing'],
  [object, undefined, 'is missing'],
  [z.string(), 7, 'must be a string'],
  [z.string(), null, 'must be a string'],
  [z.number(), '7', 'must be a number'],
  [z.int(), 7.5, 'must be a whole number'],
  [z.boolean(), 'true', 'must be true or false'],
  [z.array(z.string()), {}, 'must be an array'],
  [object, [], 'must be an object'],
  [z.record(z.string(), z.string()), 7, 'must be an object'],
  [z.date(), 7, 'must be of another type'],
  [z.literal(true), false, 'must be true'],
  [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
  [
    z.enum(many),
    'c',
    `must be one of ${many
      .slice(0, 90)
      .map((value) => `"${value}"`)
      .join(', ')} and 910 more`,
  ],
  [z.union([z.string(), z.boolean()]), 7, 'is not valid'],
  [z.string().min(1), '', 'must not be empty'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.string().min(8), 'short', 'must have at least 8 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.array(z.int()).max(2), [1, 2, 3], 'must have at most 2 items'],
  [object.shape.size, 0, 'must be at least 1'],
  [object.shape.size, 10, 'must be at most 9'],
  [object, { size: 1, siez: 1 }, 'has an unknown key: "siez"'],
  [object, { size: 1, a: 1, 'b"': 1 }, 'has unknown keys: "a", "b\\""'],
  [object, { size: 1, ['x'.repeat(101)]: 1 }, `has an unknown key: "${'x'.repeat(100)}…"`],
  [
    object,
    {
      size: 1,
      ...Object.fromEntries(Array.from({ length: 300 }, (_, place) => [`key ${place}`.padEnd(99), 1])),
    },
    `has unknown keys: ${Array.from({ length: 8 }, (_, place) => `"${`key ${place}`.padEnd(99)}"`).join(', ')} and 292 more`,
  ],
  [z.record(z.string().min(2), z.int()), { a: 1 }, 'has a key that is not allowed'],
  [z.string().regex(/x/), 'y', 'is not valid'],
  [z.string().min(8, 'must be long'), 'short', 'must be long'],
])('schema %#: the error for %j is: %s', (schema, given, problem) => {
  expect(schema.safeParse(given, { error: errorMap }).error?.issues[0]?.message).toBe(problem);
});

test('the schemas of the contract use the map that is passed to them', () => {
  const issues = contract.signIn.signUp.body.safeParse({ email: 7 }, { error: errorMap }).error?.issues;
  expect(issues?.map(({ path, message }) => [...path, message])).toEqual([
    ['email', 'must be a string'],
    ['password', 'is missing'],
  ]);
});
