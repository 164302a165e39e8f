// Texts and counts of answers, with the bounds that readers of the document may rely on. Nothing is measured when an answer
// is sent; what clients send is measured by the schemas of requests.
import { z } from 'zod';

/** A text of at most `maxCharacters` code points. */
export function textUpTo(maxCharacters: number) {
  return z.string().meta({ maxLength: maxCharacters });
}

/** A list of at most `maxItems` items. */
export function listUpTo<Item extends z.ZodType>(maxItems: number, item: Item) {
  return z.array(item).meta({ maxItems });
}

/** A 32-bit count, as the database stores it. */
export const Count = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
