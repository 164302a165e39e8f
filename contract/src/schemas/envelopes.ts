// The envelopes of successful responses: a single value, and a page of a list.
import * as z from 'zod';
import { listUpTo, textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { maxCursorCharacters, pageItems } from '../limits.js';
import { inDigits } from './values.js';

/** `{"data": …}`, the envelope of every successful response. */
export function dataEnvelope<T extends z.ZodType>(data: T) {
  return z.object({ data });
}

/** `{"items": […], "next_cursor": …}`, the shape of every list; `cursor` is the input that takes the next cursor. */
export function pageOf<T extends z.ZodType>(
  item: T,
  maxItems: number = pageItems.max,
  cursor = { name: 'cursor', maxCharacters: maxCursorCharacters },
) {
  return z
    .object({
      items: listUpTo(maxItems, item),
      next_cursor: textUpTo(cursor.maxCharacters)
        .nullable()
        .meta({
          description: `Send it as \`${cursor.name}\` to read the next page; null on the last page.`,
          example: null,
        }),
    })
    .meta({ description: 'One page of the list.' });
}

/** The query of documents that caches and other tools read, which append parameters of their own: all are ignored. */
export const AnyQuery = z.object({});

export const PageQuery = z.strictObject({
  limit: inDigits({ min: 1, max: pageItems.max })
    .default(pageItems.default)
    .meta({ description: `The page size, at most ${pageItems.max}.`, example: pageItems.default }),
  cursor: text({ max: maxCursorCharacters }).optional().meta({
    description: 'The `next_cursor` of the previous page; opaque.',
  }),
});
