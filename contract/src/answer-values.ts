// Strings, arrays and counts of responses, with bounds for the OpenAPI document. Responses are not validated when they
// are sent; request schemas use `input-values.ts`.
import * as z from 'zod';

/** A string of at most `maxCharacters` code points. */
export function textUpTo(maxCharacters: number) {
  return z.string().meta({ maxLength: maxCharacters });
}

/** An array of at most `maxItems` items. */
export function listUpTo<Item extends z.ZodType>(maxItems: number, item: Item) {
  return z.array(item).meta({ maxItems });
}

/** A count of 32 bits, as the database stores it. */
export const Count = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
