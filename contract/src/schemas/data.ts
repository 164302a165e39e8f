// The JSON records of a collection, and queries over them.
import * as z from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  conditionsPerQuery,
  maxKeyCharacters,
  maxQueryCursorCharacters,
  ordersPerQuery,
  queryItems,
  recordBytes,
  recordDepth,
  recordKeys,
  recordValues,
  valuesPerCondition,
} from '../limits.js';
import { FieldPath } from './collections.js';
import { AnyValue, integer, Timestamp, Ulid } from './values.js';

const recordId = 'must be 1 to 128 letters, digits, _ . @ : and -, and neither . nor ..';

export const RecordId = text({ max: 128, error: recordId })
  .regex(/^[A-Za-z0-9_.@:-]{1,128}$/, recordId)
  // Clients take them for folders, and remove them from the path of a URL.
  .refine((id) => !/^\.{1,2}$/.test(id), recordId)
  .meta({
    description: '1 to 128 letters, digits and `_ . @ : -`, and neither `.` nor `..`.',
    example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  });

// z.record() would drop the key __proto__.
export const Fields = z
  .custom<{ [key: string]: unknown }>(isObject, {
    error: ({ input }) => (input === undefined ? 'is missing' : 'must be an object'),
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description:
      `Any JSON object of at most ${recordBytes / 1_024} KiB, ${recordKeys} keys and ${recordValues} values in ` +
      `total, and ${recordDepth} levels. Keys have at most ${maxKeyCharacters} characters and do not start with ` +
      '`$`; numbers are IEEE 754 doubles. An integer beyond ±(2⁵³−1) is rejected instead of rounded, unless it ' +
      'is written with an exponent and has the same digits when serialized, which is possible from 10²¹ ' +
      '(`1e21`).',
    example: { title: 'Groceries', done: false },
  });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const DataRecord = z
  .object({
    id: textUpTo(128).meta({
      description: 'Unique within the collection; a ULID unless the client chose the id.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    collection: textUpTo(64).meta({ description: 'The name of the collection.', example: 'notes' }),
    fields: Fields,
    owner_uid: Ulid.nullable().meta({
      description: 'The user who created the record; null if it was created with a secret key.',
    }),
    version: Count.min(1).meta({
      description:
        'Grows by one with each write; the `ETag`. It begins at 1 if the service generated the id, else at a random number, ' +
        'so that no version of a deleted record is one of a new record with its id.',
      example: 1,
    }),
    created_at: Timestamp.meta({ description: 'When the record was created.' }),
    updated_at: Timestamp.meta({ description: 'When the record was last written.' }),
  })
  .meta({ id: 'DataRecord', description: 'A JSON record.' });
export type DataRecord = z.infer<typeof DataRecord>;

/** The names of the operators in generated clients, which cannot make one of a sign. */
const opNames = {
  '==': 'equal',
  '!=': 'not_equal',
  '<': 'less',
  '<=': 'less_or_equal',
  '>': 'greater',
  '>=': 'greater_or_equal',
  in: 'in_list',
  'not-in': 'not_in_list',
  'array-contains-any': 'array_contains_any',
  'array-contains': 'array_contains',
} as const;

const comparisonOps = ['==', '!=', '<', '<=', '>', '>='] as const;

const arrayOps = ['array-contains'] as const;

const listOps = ['in', 'not-in', 'array-contains-any'] as const;

/** Whether the value of a condition with this operator is a list of values. */
export function takesList(op: string): boolean {
  return (listOps as readonly string[]).includes(op);
}

const ops = [...comparisonOps, ...listOps, ...arrayOps] as const;

const Condition = z
  .strictObject({
    field: FieldPath.meta({ example: 'done' }),
    op: z.enum(ops).meta({
      description:
        '`< <= > >=` match values of the same type only. `!=` and `not-in` match if the field exists and is ' +
        'not null; `not-in` with a null in its list matches nothing. `array-contains` matches arrays with the ' +
        'element, `array-contains-any` arrays with at least one of several elements.',
      example: '==',
      'x-enum-varnames': ops.map((op) => opNames[op]),
    }),
    value: AnyValue.meta({
      description:
        `Any JSON value; an array of 1 to ${valuesPerCondition} values for \`in\`, \`not-in\` and ` +
        '`array-contains-any`.',
      example: false,
    }),
  })
  .superRefine(({ op, value }, context) => {
    const sentence = valueFault(op, value);
    if (sentence) context.addIssue({ code: 'custom', path: ['value'], message: sentence });
  })
  .meta({ description: 'A record matches if all conditions match.' });

function valueFault(op: string, value: unknown): string | null {
  if (!takesList(op)) return null;
  const listed = Array.isArray(value) && value.length > 0 && value.length <= valuesPerCondition;
  return listed ? null : `must be an array of 1 to ${valuesPerCondition} values`;
}

const Order = z.strictObject({
  field: FieldPath.meta({ example: 'created' }),
  direction: z
    .enum(['asc', 'desc'])
    .default('asc')
    .meta({ description: 'Ascending by default.', example: 'desc' }),
});

export const Query = z.strictObject({
  where: list(Condition, { max: conditionsPerQuery })
    .default([])
    .meta({
      description: `At most ${conditionsPerQuery}.`,
      example: [{ field: 'done', op: '==', value: false }],
    }),
  orderBy: list(Order, { max: ordersPerQuery })
    .default([])
    .meta({
      description:
        `At most ${ordersPerQuery}; a record without one of these fields is omitted. Records that are equal in all ` +
        'of them are sorted by id, in the direction of the last. By default, ascending by the first field with `< ' +
        '<= > >=`, or else by id.',
      example: [{ field: 'created', direction: 'desc' }],
    }),
  limit: integer({ min: 1, max: queryItems.max })
    .default(queryItems.default)
    .meta({ description: `At most ${queryItems.max}.`, example: 20 }),
  startAfter: z
    .union([text({ max: maxQueryCursorCharacters }), list(z.unknown(), { min: 1, max: ordersPerQuery })])
    .optional()
    .meta({
      description:
        'The `next_cursor` of the previous page, or one value for each entry of `orderBy`: the page starts ' +
        'after these values.',
      example: ['2026-01-02'],
    }),
});
