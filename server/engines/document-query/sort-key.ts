// Order-preserving binary keys of JSON values: null < boolean < number < string < array < object; strings by UTF-8 bytes,
// arrays element by element, objects by sorted keys, each followed by its value. Equal values have equal keys. See README.md.

/** Indexes store and queries sort by keys truncated to this length; values with equal truncated keys are ordered by id. */
export const indexKeyBytes = 1_500;

const tags = { null: 0x10, boolean: 0x20, number: 0x30, string: 0x40, array: 0x50, object: 0x60 };
/** Below every tag, and in no string (U+0000 is refused), so that a prefix sorts before a longer value. */
const terminator = Buffer.of(0);
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

/** The untruncated key: two values are equal exactly when their keys are. */
export function sortKeyOf(value: unknown): Buffer {
  return keyOf(value, Number.POSITIVE_INFINITY);
}

/** Encodes only what fits into the truncated key, so that a value of a megabyte costs no more than a small one. */
export function indexKeyOf(value: unknown): Buffer {
  return keyOf(value, indexKeyBytes).subarray(0, indexKeyBytes);
}

/** The order of the untruncated keys without building them; stops at the first difference. */
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

/** The half-open range of the keys of one type. */
export function keysOfType(type: ValueType): [from: Buffer, below: Buffer] {
  return [Buffer.of(tags[type]), Buffer.of(tags[type] + 1)];
}

/** The immediate successor in byte order. No key is a prefix of another, so `[key, successor(key))` holds this key only. */
export function successor(key: Buffer): Buffer {
  return Buffer.concat([key, terminator]);
}

type Parts = { list: Uint8Array[]; bytes: number; maxBytes: number };

function keyOf(value: unknown, maxBytes: number): Buffer {
  const parts: Parts = { list: [], bytes: 0, maxBytes };
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
  else if (type === 'string') push(parts, Buffer.from(value as string), terminator);
  else if (type === 'array' || type === 'object') {
    for (const part of type === 'array' ? (value as unknown[]) : sortedParts(value as object)) {
      if (parts.bytes >= parts.maxBytes) return;
      write(part, parts);
    }
    push(parts, terminator);
  }
}

/** Keys and values alternating, in the byte order of the keys. */
function sortedParts(value: object): unknown[] {
  return Object.entries(value)
    .map(([key, child]) => [Buffer.from(key), key, child] as const)
    .sort(([a], [b]) => Buffer.compare(a, b))
    .flatMap(([, key, child]) => [key, child]);
}

/** IEEE 754 doubles sort by their bytes once negative numbers are inverted and the sign bit of the others is set. */
function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  // -0 equals 0.
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const first = bytes.readUInt8(0);
  if (first < 0x80) bytes.writeUInt8(first | 0x80, 0);
  else for (let i = 0; i < 8; i += 1) bytes.writeUInt8(bytes.readUInt8(i) ^ 0xff, i);
  return bytes;
}
