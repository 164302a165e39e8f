// PATCH semantics: objects are merged key by key at every depth, arrays and other values are replaced, null is stored.
import { type Fields, isObject } from '../../lib/json-rules.js';

export function mergeFields(target: Fields, patch: Fields): Fields {
  const entries = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = entries.get(key);
    entries.set(key, isObject(before) && isObject(value) ? mergeFields(before, value) : value);
  }
  // fromEntries, so that __proto__ becomes an own key.
  return Object.fromEntries(entries);
}
