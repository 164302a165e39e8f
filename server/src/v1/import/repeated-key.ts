// Whether an object of a JSON text has a key twice. `JSON.parse` silently uses the last value of such a key.

// A string, a key where a colon follows, or a brace. Strings are matched in runs: an alternative for each character would
// exhaust the stack of the expression in a long one.
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g;

/** `text` is valid JSON. */
export function hasRepeatedKey(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, key, colon] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const keys = open.at(-1);
      const name = key?.includes('\\') ? JSON.parse(`"${key}"`) : key;
      if (keys?.has(name)) return true;
      keys?.add(name);
    }
  }
  return false;
}
