// The texts that clients send: their length is judged before anything else looks at them. Trimming, normalising, matching
// and parsing cost more the longer a text is, and normalising costs the square of its combining characters.
import { z } from 'zod';
import { atMostCharacters } from './characters.js';

/** A text of at most so many UTF-16 units. A longer one is refused before any check that follows. */
export function text(maxUnits: number, sentence?: string) {
  return z.string().max(maxUnits, { abort: true, ...(sentence !== undefined && { error: sentence }) });
}

/** A text of at most `most` code points; each has one or two units. */
export function characters(most: number) {
  const [fits, sentence] = atMostCharacters(most);
  return text(2 * most, sentence).refine(fits, sentence);
}

/**
 * A text that is trimmed, brought into NFC, and then has at most `most` code points. NFC makes one code point of at most
 * six units (of four, outside one script), so the limit before it refuses nothing that fits after it, and leaves room for
 * white space.
 */
export function trimmedCharacters(most: number) {
  const [fits, sentence] = atMostCharacters(most);
  return text(6 * most, sentence)
    .trim()
    .normalize('NFC')
    .refine(fits, sentence);
}
