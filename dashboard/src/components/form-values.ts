// Values of a form beside newer stored ones: both hold what others have changed meanwhile.

/**
 * What was typed, on top of newer values: a value that is still the one of `before` becomes that of `newer`, and every
 * other one stays. Objects are compared key by key; everything else, lists included, is one value.
 */
export function rebased<Value>(before: Value, typed: Value, newer: Value): Value {
  if (!isObject(before) || !isObject(typed) || !isObject(newer)) return isSame(before, typed) ? newer : typed;
  const entries = [...new Set([...Object.keys(newer), ...Object.keys(typed)])].map(
    (key) => [key, rebased(before[key], typed[key], newer[key])] as const,
  );
  // A value may be undefined; an entry that either side has removed is gone.
  const left = entries.filter(([key, value]) => value !== undefined || (key in newer && key in typed));
  return Object.fromEntries(left) as Value;
}

/** The entries of `typed` that differ from those of `before`. */
export function changedIn<Values extends object>(before: Values, typed: Values): Partial<Values> {
  const changed = Object.entries(typed).filter(([key, value]) => !isSame(before[key as keyof Values], value));
  return Object.fromEntries(changed) as Partial<Values>;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
