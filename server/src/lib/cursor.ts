// Page cursors: opaque to clients, inside the sort keys of the last row of a page, so that deletions disturb nothing.
import { ApiError } from './api-error.js';

export function encodeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** The keys of a cursor of ours; anything else is refused with 422 and the field `cursor`. */
export function decodeCursor(cursor: string, keyCount: number): string[] {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(keys) && keys.length === keyCount && keys.every((key) => typeof key === 'string')) {
      return keys;
    }
  } catch {
    // Not JSON: refused below like any other cursor that is not ours.
  }
  throw new ApiError('request/validation-failed', {
    fields: { cursor: ['must be the next_cursor of an earlier page'] },
  });
}
