// Counts the values, the keys and the levels of a JSON text before anything parses it: a small body of many values, or one nested
// deeply, costs far more to parse and to judge than its bytes say. One pass over the bytes, without recursion.

export type JsonLimits = { values: number; keys: number; levels: number };

const quote = 0x22;
const backslash = 0x5c;
const other = 0;
const whitespace = 1;
const opening = 2;
const closing = 3;
const comma = 4;
const colon = 5;
/** What each byte is, since a look into an array is the cheapest question for each of a million bytes. */
const kinds = new Uint8Array(256);
for (const [characters, kind] of [
  [' \t\n\r', whitespace],
  ['[{', opening],
  [']}', closing],
  [',', comma],
  [':', colon],
] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;
}

/**
 * Which limit the text exceeds, if any. A text that is not JSON gets some verdict, and is refused by the parser if by
 * nothing else. Every value but the first in its object or array follows a comma, and every key stands before a colon.
 */
export function measureJson(
  bytes: Uint8Array,
  limits: JsonLimits,
): 'ok' | 'too-many-values' | 'too-many-keys' | 'too-deep' {
  let values = 1;
  let keys = 0;
  let levels = 0;
  let opened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const kind = kinds[byte] ?? other;
    if (kind === whitespace) continue;
    if (kind === closing) {
      levels -= 1;
      opened = false;
      continue;
    }
    // The first value of the object or array that was just opened.
    if (opened || kind === comma) values += 1;
    if (values > limits.values) return 'too-many-values';
    if (kind === colon) keys += 1;
    if (keys > limits.keys) return 'too-many-keys';
    opened = kind === opening;
    if (opened) {
      levels += 1;
      if (levels > limits.levels) return 'too-deep';
    } else if (byte === quote) at = endOfString(bytes, at);
  }
  return 'ok';
}

/** Where the string ends that begins at this quote: at its closing quote, or with the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
