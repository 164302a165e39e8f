// The scans of a query: over record ids (all, or one owner's) or over a range of a field index. `accessPaths` derives the
// candidates from conditions, order and complete indexes; run-query.ts chooses one. See README.md.
import { type Condition, type Op, type Query, rangeOps } from './query.js';
import { indexKeyBytes, indexKeyOf, keysOfType, successor, typeOf } from './sort-key.js';

/** `ready`: complete, so that queries may use it. Writers maintain it from its declaration on. */
export type FieldIndex = { number: number; field: string; ready: boolean };

/** Half-open: `from` is included, `below` is not. */
export type KeyRange = { from: Buffer; below: Buffer };

/** Closed: both ends are included. */
export type IdRange = { from: string; to: string };

export type Scan = {
  source: { ownerUid: string | null; ids: IdRange | null } | { number: number; range: KeyRange };
  descending: boolean;
  /** The scan returns rows after this position, in its own direction. */
  position: { key: Buffer; id: string };
  /** Whether rows come in the order of the query: the whole order, or only by its first field. */
  inOrder: 'whole' | 'first' | null;
};

/** One or more scans, run one after another, that together find every match. */
export type AccessPath = { scans: Scan[]; inOrder: boolean };

export type AccessPaths = {
  /** Paths bounded by a condition: the first one with few rows is used. */
  selective: AccessPath[];
  /** Used when none of the selective paths is short. */
  fallback: AccessPath;
};

const lowest = Buffer.of(0);
const highest = Buffer.of(0xff);
/** Sorts after every character of an id. */
const aboveIds = '~';
const wholeIndex: KeyRange = { from: lowest, below: highest };

export function accessPaths(query: Query, indexes: FieldIndex[], onlyOwner: string | null): AccessPaths {
  const ownerUid = onlyOwner ?? ownerIn(query.conditions);
  const byId = pathOf([idScan(query, ownerUid)]);
  const selective: AccessPath[] = ownerUid !== null || idsIn(query.conditions) ? [byId] : [];
  let sorted: AccessPath | null = isById(query) ? byId : null;
  for (const { number, field } of indexes.filter(({ ready }) => ready)) {
    const ranges = rangesOf(query.conditions.filter((condition) => condition.field === field));
    const first = query.orders[0]?.field === field;
    if (first)
      sorted = pathOf((ranges ?? [wholeIndex]).map((range) => indexScan(query, number, range, true)));
    else if (ranges) selective.push(pathOf(ranges.map((range) => indexScan(query, number, range, false))));
  }
  // A single ordered scan bounded by a condition is the best path in any case.
  const best = selective.find(({ scans, inOrder }) => inOrder && scans.length === 1);
  const fallback = best ?? sorted ?? selective[0] ?? byId;
  return { selective: selective.filter((path) => path !== fallback), fallback };
}

function pathOf(scans: Scan[]): AccessPath {
  return { scans, inOrder: scans.every(({ inOrder }) => inOrder !== null) };
}

function isById({ orders }: Query): boolean {
  return orders.length === 0 || orders[0]?.field === '$id';
}

function ownerIn(conditions: Condition[]): string | null {
  const owned = conditions.find(({ field, op }) => field === '$owner_uid' && op === '==');
  return typeof owned?.value === 'string' ? owned.value : null;
}

/** The operators whose conditions on `$id` narrow the ids to read; others are checked on each record. */
const narrowing: readonly Op[] = ['==', 'in', ...rangeOps];

/** Returns the ids that the conditions on `$id` allow, or null for all. An operand that is not a string matches no id. */
function idsIn(conditions: Condition[]): IdRange | null {
  const none = { from: aboveIds, to: '' };
  const open: IdRange = { from: '', to: aboveIds };
  let range = open;
  for (const { field, op, value } of conditions) {
    if (field !== '$id' || !narrowing.includes(op)) continue;
    const values = (op === 'in' ? (value as unknown[]) : [value])
      .filter((each) => typeof each === 'string')
      .sort();
    const [first, last] = [values[0], values.at(-1)];
    if (first === undefined || last === undefined) return none;
    const { from, to }: IdRange = range;
    range = {
      from: op.startsWith('<') || first < from ? from : first,
      to: op.startsWith('>') || last > to ? to : last,
    };
  }
  return range === open ? null : range;
}

function idScan(query: Query, ownerUid: string | null): Scan {
  const sorted = isById(query);
  const descending = sorted && (query.orders[0]?.descending ?? false);
  const id = (sorted && startIdOf(query)) || (descending ? aboveIds : '');
  return {
    source: { ownerUid, ids: idsIn(query.conditions) },
    descending,
    inOrder: sorted ? 'whole' : null,
    position: { key: lowest, id },
  };
}

function startIdOf({ start, orders }: Query): string | null {
  if (!start || orders.length === 0) return start?.id ?? null;
  // The record with this id may follow the values of further orders.
  if (start.id === null && orders.length > 1) return null;
  // An order by $id: the key is the id between its type tag and its terminator. Another type has no position among ids.
  const key = start.keys[0];
  const [string] = keysOfType('string');
  return key && key.at(0) === string.at(0) ? key.subarray(1, -1).toString() : null;
}

/** `first`: the index is on the first field of the order. */
function indexScan(query: Query, number: number, range: KeyRange, first: boolean): Scan {
  const { orders, start } = query;
  const single = range.below.equals(successor(range.from));
  const descending = first ? (orders[0]?.descending ?? false) : false;
  const scan = { source: { number, range }, descending };
  const edge = { key: descending ? range.below : range.from, id: '' };
  if (!first) {
    const inOrder = single && orders.length === 0 ? ('whole' as const) : null;
    const position = inOrder && start?.id ? { key: range.from, id: start.id } : edge;
    return { ...scan, position, inOrder };
  }
  const inOrder = orders.length === 1 ? ('whole' as const) : ('first' as const);
  return { ...scan, inOrder, position: startPosition(query, descending, edge, inOrder) };
}

/** The start of the query if it is inside the range, else the edge of the range. */
function startPosition(
  { start }: Query,
  descending: boolean,
  edge: Scan['position'],
  inOrder: 'whole' | 'first',
) {
  const key = start?.keys[0];
  if (!start || !key) return edge;
  const whole = inOrder === 'whole';
  // Without an id, all records with this key are skipped. Where further orders decide, none of them is skipped yet.
  const position =
    whole && start.id !== null
      ? { key, id: start.id }
      : { key: whole === descending ? key : successor(key), id: '' };
  const ahead = position.key.compare(edge.key) * (descending ? -1 : 1);
  return ahead < 0 ? edge : position;
}

/** The ranges of a field's index that its conditions allow; null for the whole index. */
function rangesOf(conditions: Condition[]): KeyRange[] | null {
  const ranges = conditions.flatMap((condition) => rangeOf(condition) ?? []);
  const listed = conditions.find(({ op }) => op === 'in');
  if (ranges.length === 0 && !listed) return null;
  const common = ranges.reduce(
    (left, right) => ({ from: higher(left.from, right.from), below: lower(left.below, right.below) }),
    wholeIndex,
  );
  if (!listed) return [common];
  // Once for the values that share a truncated key, whose ranges are the same.
  const keys = new Map((listed.value as unknown[]).map(indexKeyOf).map((key) => [key.toString('hex'), key]));
  return [...keys.values()].map((key) => ({
    from: higher(key, common.from),
    below: lower(successor(key), common.below),
  }));
}

/** A truncated key represents several values, so a truncated bound is included; the condition itself filters. */
function rangeOf({ op, value }: Condition): KeyRange | null {
  const key = indexKeyOf(value);
  const truncated = key.length === indexKeyBytes;
  const [from, below] = keysOfType(typeOf(value));
  if (op === '==') return { from: key, below: successor(key) };
  if (op === '<') return { from, below: truncated ? successor(key) : key };
  if (op === '<=') return { from, below: successor(key) };
  if (op === '>') return { from: truncated ? key : successor(key), below };
  if (op === '>=') return { from: key, below };
  return null;
}

function higher(left: Buffer, right: Buffer): Buffer {
  return left.compare(right) < 0 ? right : left;
}

function lower(left: Buffer, right: Buffer): Buffer {
  return left.compare(right) < 0 ? left : right;
}
