// Whether an object of a JSON text has a key twice. Of such keys `JSON.parse` keeps the last, and says nothing.

// A string, a key where a colon follows, or a brace. The strings are told in runs: an alternative for each character
// would exhaust the expression's stack in a long one.
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g;

/** Of a text that is JSON. */
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
