// Bytes that sort as JSON values do: null < boolean < number < string < array < object, strings by their UTF-8 bytes,
// arrays element by element, objects by their sorted keys and then values. Equal values have equal keys.

/** What the index holds, and queries sort by: values that agree so far count as equal, and their records go by id. */
export const indexKeyBytes = 1_500;

const tags = { null: 0x10, boolean: 0x20, number: 0x30, string: 0x40, array: 0x50, object: 0x60 };
/** Below every tag, and in no string: U+0000 is refused. So what is a prefix of something longer sorts before it. */
const end = Buffer.of(0);
const tagBytes = Object.fromEntries(
  Object.entries(tags).map(([type, tag]) => [type, Buffer.of(tag)]),
) as Record<ValueType, Buffer>;

export type ValueType = keyof typeof tags;

export function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as ValueType;
}

export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The whole key: two values are equal exactly when theirs are. */
export function sortKeyOf(value: unknown): Buffer {
  return keyOf(value, Number.POSITIVE_INFINITY);
}

/** Costs no more for a value of a megabyte than the bytes that are kept of it. */
export function indexKeyOf(value: unknown): Buffer {
  return keyOf(value, indexKeyBytes).subarray(0, indexKeyBytes);
}

/**
 * The order of the whole keys without making them: ends at the first difference, so that a small value is compared with a
 * large one in the time of the small one.
 */
export function compareValues(left: unknown, right: unknown): number {
  const type = typeOf(left);
  if (type !== typeOf(right)) return tags[type] - tags[typeOf(right)];
  if (type === 'string')
    return left === right ? 0 : Buffer.from(left as string).compare(Buffer.from(right as string));
  if (type === 'array') return compareLists(left as unknown[], right as unknown[]);
  if (type === 'object') return compareLists(sortedParts(left as object), sortedParts(right as object));
  return Number(left) - Number(right);
}

function compareLists(left: unknown[], right: unknown[]): number {
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i += 1) {
    const order = compareValues(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Keys of one type lie from the first of these up to, not including, the second. */
export function keysOfType(type: ValueType): [from: Buffer, below: Buffer] {
  return [Buffer.of(tags[type]), Buffer.of(tags[type] + 1)];
}

/** The lowest key above this one and all that begin with it, and above no other. */
export function after(key: Buffer): Buffer {
  return Buffer.concat([key, end]);
}

type Parts = { list: Uint8Array[]; bytes: number; most: number };

function keyOf(value: unknown, most: number): Buffer {
  const parts: Parts = { list: [], bytes: 0, most };
  write(value, parts);
  return Buffer.concat(parts.list);
}

function push(parts: Parts, ...more: Uint8Array[]): void {
  for (const each of more) {
    parts.list.push(each);
    parts.bytes += each.length;
  }
}

function write(value: unknown, parts: Parts): void {
  const type = typeOf(value);
  push(parts, tagBytes[type]);
  if (type === 'boolean') push(parts, Buffer.of(value ? 1 : 0));
  else if (type === 'number') push(parts, numberBytes(value as number));
  else if (type === 'string') push(parts, Buffer.from(value as string), end);
  else if (type === 'array' || type === 'object') {
    for (const part of type === 'array' ? (value as unknown[]) : sortedParts(value as object)) {
      if (parts.bytes >= parts.most) return;
      write(part, parts);
    }
    push(parts, end);
  }
}

/** Each key before its value, in the order of the keys. */
function sortedParts(value: object): unknown[] {
  return Object.entries(value)
    .map(([key, child]) => [Buffer.from(key), key, child] as const)
    .sort(([a], [b]) => Buffer.compare(a, b))
    .flatMap(([, key, child]) => [key, child]);
}

/** IEEE 754 sorts by its bits once negative numbers are inverted and the sign of the others is set. */
function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  // -0 is 0.
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const first = bytes.readUInt8(0);
  if (first < 0x80) bytes.writeUInt8(first | 0x80, 0);
  else for (let i = 0; i < 8; i += 1) bytes.writeUInt8(bytes.readUInt8(i) ^ 0xff, i);
  return bytes;
}
