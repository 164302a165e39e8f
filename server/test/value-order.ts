// The order of JSON values as the API defines it, implemented a second time without bytes: the reference for sort keys and
// queries.

const types = ['null', 'boolean', 'number', 'string', 'array', 'object'];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function compareValues(left: unknown, right: unknown): number {
  const [type, other] = [typeOf(left), typeOf(right)];
  if (type !== other) return types.indexOf(type) - types.indexOf(other);
  if (type === 'boolean' || type === 'number') return Number(left) - Number(right) || 0;
  if (type === 'string') return compareText(left as string, right as string);
  if (type === 'array') return compareLists(left as unknown[], right as unknown[], compareValues);
  if (type === 'object') {
    return compareLists(entriesOf(left), entriesOf(right), ([key, value], [otherKey, otherValue]) => {
      return compareText(key, otherKey) || compareValues(value, otherValue);
    });
  }
  return 0;
}

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(value as object).sort(([a], [b]) => compareText(a, b));
}

function compareLists<T>(left: T[], right: T[], compare: (a: T, b: T) => number): number {
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const order = compare(left[i] as T, right[i] as T);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** By code points, which is the order of UTF-8 bytes; JavaScript compares UTF-16 units. */
function compareText(left: string, right: string): number {
  return compareLists([...left], [...right], (a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
}
