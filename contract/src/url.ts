// Whether a text is a URL.

/**
 * Does not use `URL.canParse`: once V8 has optimized its caller, that of Node 20 returns false for every URL that
 * contains a character from U+0080 to U+00FF and none beyond.
 */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

export function isHttpsUrl(text: string): boolean {
  return /^https:\/\/[^\s/]/i.test(text) && isUrl(text);
}

/** A scheme that no app can register: it could be executed, or opens another program with the code in its text. */
export function isForeignScheme(protocol: string): boolean {
  return /^(javascript|livescript|vbscript|data|file|blob|filesystem|about|view-source|mailto|tel|sms|smsto|mms):$/.test(
    protocol,
  );
}
