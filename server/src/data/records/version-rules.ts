// The version of a record, which is its entity tag: it grows with each write, and no two states of an id ever have the same.
import type { Random } from '../../lib/crypto/random.js';

/** Leaves room for a billion writes in the column, an integer of 32 bits. */
const first = { min: 2 ** 20, max: 2 ** 30 } as const;

/**
 * The version of a new record whose id the client chose. The record may have existed and been deleted, with its collection or its
 * owner too, of which nothing remains: if versions began at 1 again, an old `If-Match` would change the new record. A generated
 * id is never generated again, so its versions begin at 1.
 */
export function firstVersion(random: Pick<Random, 'bytes'>): number {
  return first.min + (random.bytes(4).readUInt32BE() % (first.max - first.min));
}
