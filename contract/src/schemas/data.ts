// The JSON records of a collection, and queries over them.
import { z } from 'zod';
import { Count, textUpTo } from '../answer-values.js';
import { list, text } from '../input-values.js';
import {
  conditionsPerQuery,
  maxKeyCharacters,
  ordersPerQuery,
  queryItems,
  recordBytes,
  recordDepth,
  recordKeys,
  recordValues,
  valuesPerCondition,
} from '../limits.js';
import { FieldPath } from './collections.js';
import { Timestamp, Ulid } from './values.js';

const recordId = 'must be 1 to 128 letters, digits, _ . @ : and -';

export const RecordId = text({ max: 128, error: recordId })
  .regex(/^[A-Za-z0-9_.@:-]{1,128}$/, recordId)
  .meta({
    description: 'Letters, digits, `_ . @ : -`; at most 128.',
    example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  });

// Not z.record, which would lose the key __proto__.
export const Fields = z.custom<{ [key: string]: unknown }>(isObject, 'must be an object').meta({
  type: 'object',
  additionalProperties: true,
  description:
    `Any JSON object of at most ${recordBytes / 1_024} KiB, ${recordKeys} keys and ${recordValues} values in all, and ${recordDepth} levels. ` +
    `Keys have at most ${maxKeyCharacters} characters and do not start with \`$\`; numbers are those of IEEE 754. An integer ` +
    'beyond ±(2⁵³−1) is refused rather than rounded, unless it is written with an exponent and comes back with the same ' +
    'digits, as from 10²¹ on it may (`1e21`).',
  example: { title: 'Groceries', done: false },
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const DataRecord = z
  .object({
    id: textUpTo(128).meta({
      description: 'Within the collection; a ULID unless the client chose another.',
      example: '01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    collection: textUpTo(64).meta({ description: 'The name of the collection.', example: 'notes' }),
    fields: Fields,
    owner_uid: Ulid.nullable().meta({
      description: 'The user who created the record; null where a secret key did.',
    }),
    version: Count.min(1).meta({
      description: 'Counts the writes since the record was created; the `ETag`.',
      example: 1,
    }),
    created_at: Timestamp.meta({ description: 'When the record was created.' }),
    updated_at: Timestamp.meta({ description: 'When it was last written.' }),
  })
  .meta({ id: 'DataRecord', description: 'A JSON record.' });
export type DataRecord = z.infer<typeof DataRecord>;

export const comparisonOps = ['==', '!=', '<', '<=', '>', '>='] as const;

export const arrayOps = ['array-contains'] as const;

export const listOps = ['in', 'not-in', 'array-contains-any'] as const;

const Condition = z
  .strictObject({
    field: FieldPath.meta({ example: 'done' }),
    op: z.enum([...comparisonOps, ...listOps, ...arrayOps]).meta({
      description:
        '`< <= > >=` hold between values of one type. `!=` and `not-in` hold where the field is there and not null; ' +
        '`not-in` with a null in its list never holds. `array-contains` asks for an element, `array-contains-any` for ' +
        'one of several.',
      example: '==',
    }),
    value: z
      .unknown()
      .refine((value) => value !== undefined, 'must be given')
      .meta({
        description: `Any JSON value; a list of 1 to ${valuesPerCondition} for \`in\`, \`not-in\` and \`array-contains-any\`.`,
        example: false,
      }),
  })
  .superRefine(({ op, value }, context) => {
    const sentence = valueFault(op, value);
    if (sentence) context.addIssue({ code: 'custom', path: ['value'], message: sentence });
  })
  .meta({ description: 'A record is found where all conditions hold.' });

function valueFault(op: string, value: unknown): string | null {
  if (!(listOps as readonly string[]).includes(op)) return null;
  const listed = Array.isArray(value) && value.length > 0 && value.length <= valuesPerCondition;
  return listed ? null : `must be a list of 1 to ${valuesPerCondition} values`;
}

const Order = z.strictObject({
  field: FieldPath.meta({ example: 'created' }),
  direction: z
    .enum(['asc', 'desc'])
    .default('asc')
    .meta({ description: 'Ascending unless given.', example: 'desc' }),
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
        `At most ${ordersPerQuery}; a record without one of these fields is left out. Records that are equal in all of them go by ` +
        'id, in the direction of the last. Without any, the first field with `< <= > >=` orders ascending, else the id.',
      example: [{ field: 'created', direction: 'desc' }],
    }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(queryItems.max)
    .default(queryItems.default)
    .meta({ description: `At most ${queryItems.max}.`, example: 20 }),
  startAfter: z
    .union([text({ max: 20_000 }), list(z.unknown(), { min: 1, max: ordersPerQuery })])
    .optional()
    .meta({
      description:
        'The `next_cursor` of the page before, or one value for each of `orderBy`: records up to those values are left out.',
      example: ['2026-01-02'],
    }),
});
