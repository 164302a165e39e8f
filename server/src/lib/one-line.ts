// Texts that others chose, within a line of ours.

/** A name that is safe in a header, in a sentence and on a terminal, where control characters could forge further lines. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
