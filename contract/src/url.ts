// Whether a text is a URL.

/**
 * Not `URL.canParse`: once V8 has optimized its caller, that of Node 20 returns false for every URL that contains a character
 * from U+0080 to U+00FF and none beyond.
 */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
