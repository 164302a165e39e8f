// JSON from outside: what a text or a value may turn out to be.

export type Fields = { [key: string]: unknown };

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns undefined if the text is not JSON. The parser's error is dropped: it quotes its input, which may be secret. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Merges objects by key at every depth; replaces arrays and scalars. Undefined changes nothing. */
export function merge(base: unknown, patch: unknown): unknown {
  if (!isObject(base) || !isObject(patch)) return patch;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value !== undefined) merged.set(key, merged.has(key) ? merge(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}
