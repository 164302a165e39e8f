// PATCH: objects merge key by key at every depth; arrays and other values replace; null stores null.

export type Fields = { [key: string]: unknown };

export function merged(present: Fields, patch: Fields): Fields {
  const entries = new Map(Object.entries(present));
  for (const [key, value] of Object.entries(patch)) {
    const before = entries.get(key);
    entries.set(key, isObject(before) && isObject(value) ? merged(before, value) : value);
  }
  // From entries, so that __proto__ is a key like any other.
  return Object.fromEntries(entries);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
