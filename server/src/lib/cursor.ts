// Page cursors: opaque to clients; they contain the sort keys of the last row of a page, so that deletions do not matter.
import * as z from 'zod';
import { ApiError } from './api-error.js';
import { jsonIn } from './json-rules.js';
import { isStorable } from './storable.js';

export function encodeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** The keys of a cursor of this list; anything else is refused with 422 and the field `cursor`. */
export function decodeCursor<Keys extends [z.ZodType<string>, ...z.ZodType<string>[]]>(
  cursor: string,
  ...shapes: Keys
): { [Place in keyof Keys]: string } {
  const keys = z.tuple(shapes).safeParse(jsonIn(Buffer.from(cursor, 'base64url').toString()));
  // The base64 content was not validated with the URL: PostgreSQL cannot store U+0000.
  if (!keys.success || !(keys.data as string[]).every(isStorable)) {
    throw new ApiError('request/validation-failed', {
      fields: { cursor: ['must be the next_cursor of an earlier page'] },
    });
  }
  return keys.data as { [Place in keyof Keys]: string };
}
