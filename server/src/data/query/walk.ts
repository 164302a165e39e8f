// The ways through a collection: by id, of all records or of an owner's, or along an index. Which of them a query goes is
// chosen here, from its conditions and order and the indexes that are complete.
import type { FieldIndex } from '../collections/collection.js';
import type { Condition, Query } from './query.js';
import { after, indexKeyBytes, indexKeyOf, keysOfType, sortKeyOf, typeOf } from './sort-key.js';

/** Keys from the first up to, not including, the second. */
export type KeyRange = { from: Buffer; below: Buffer };

/** Both ends belong to it. */
export type IdRange = { from: string; to: string };

export type Walk = {
  along: { ownerUid: string | null; ids: IdRange | null } | { number: number; range: KeyRange };
  descending: boolean;
  /** Where it begins, in its own direction. */
  position: { key: Buffer; id: string };
  /** It meets records in the order of the query: all of it, or that of the first field alone. */
  inOrder: 'whole' | 'first' | null;
};

/** One way, of one or more walks after each other. */
export type Way = { walks: Walk[]; inOrder: boolean };

export type Ways = {
  /** Each finds all there is, and is short where few records meet its condition. */
  narrow: Way[];
  /** What is gone where none of them is short. */
  otherwise: Way;
};

const lowest = Buffer.of(0);
const highest = Buffer.of(0xff);
/** Above every character of an id. */
const aboveIds = '~';
const wholeIndex: KeyRange = { from: lowest, below: highest };

export function waysOf(query: Query, indexes: FieldIndex[], onlyOf: string | null): Ways {
  const ready = indexes.filter((index) => index.ready);
  const owner = onlyOf ?? ownerIn(query.conditions);
  const narrow: Way[] = [];
  if (owner !== null || idsIn(query.conditions)) narrow.push(wayOf([byId(query, owner)]));
  let along: Way | null = null;
  for (const { number, field } of ready) {
    const ranges = rangesOf(query.conditions.filter((condition) => condition.field === field));
    const first = query.orders[0]?.field === field;
    if (first) along = wayOf((ranges ?? [wholeIndex]).map((range) => byIndex(query, number, range, true)));
    else if (ranges) narrow.push(wayOf(ranges.map((range) => byIndex(query, number, range, false))));
  }
  // One that goes in order and by a condition of its own needs no other.
  const best = narrow.find(({ walks, inOrder }) => inOrder && walks.length === 1);
  const sorted = along ?? (isById(query) ? wayOf([byId(query, owner)]) : null);
  const otherwise = best ?? sorted ?? narrow[0] ?? wayOf([byId(query, owner)]);
  return { narrow: narrow.filter((way) => way !== otherwise), otherwise };
}

function wayOf(walks: Walk[]): Way {
  return { walks, inOrder: walks.every(({ inOrder }) => inOrder !== null) };
}

function isById({ orders }: Query): boolean {
  return orders.length === 0 || orders[0]?.field === '$id';
}

function ownerIn(conditions: Condition[]): string | null {
  const owned = conditions.find(({ field, op }) => field === '$owner_uid' && op === '==');
  return typeof owned?.value === 'string' ? owned.value : null;
}

/** The ids that the conditions on them leave; null for all. What is no string is no id. */
function idsIn(conditions: Condition[]): IdRange | null {
  const none = { from: aboveIds, to: '' };
  const open: IdRange = { from: '', to: aboveIds };
  let range = open;
  for (const { op, value } of conditions.filter(({ field }) => field === '$id')) {
    const values = (op === 'in' ? (value as unknown[]) : [value])
      .filter((each) => typeof each === 'string')
      .sort();
    const [first, last] = [values[0], values.at(-1)];
    if (['!=', 'not-in', 'array-contains', 'array-contains-any'].includes(op)) continue;
    if (first === undefined || last === undefined) return none;
    const { from, to }: IdRange = range;
    range = {
      from: op.startsWith('<') || first < from ? from : first,
      to: op.startsWith('>') || last > to ? to : last,
    };
  }
  return range === open ? null : range;
}

function byId(query: Query, ownerUid: string | null): Walk {
  const sorted = isById(query);
  const descending = sorted && (query.orders[0]?.descending ?? false);
  const along = { ownerUid, ids: idsIn(query.conditions) };
  const walk = { along, descending, inOrder: sorted ? ('whole' as const) : null };
  const id = (sorted && startIdOf(query)) || (descending ? aboveIds : '');
  return { ...walk, position: { key: lowest, id } };
}

function startIdOf({ start, orders }: Query): string | null {
  if (!start || orders.length === 0) return start?.id ?? null;
  // An order by $id: the key is the id, between its tag and its end; of another type it is no place among ids.
  const key = start.keys[0];
  const [string] = keysOfType('string');
  return key && key.at(0) === string.at(0) ? key.subarray(1, -1).toString() : null;
}

/** `first`: along the field that the query orders by first. */
function byIndex(query: Query, number: number, range: KeyRange, first: boolean): Walk {
  const { orders, start } = query;
  const single = range.below.equals(after(range.from)) && range.from.length < indexKeyBytes;
  const descending = first ? (orders[0]?.descending ?? false) : false;
  const walk = { along: { number, range }, descending };
  const edge = descending ? { key: range.below, id: '' } : { key: range.from, id: '' };
  if (!first) {
    const inOrder = single && orders.length === 0 ? ('whole' as const) : null;
    const position = inOrder && start?.id ? { key: range.from, id: start.id } : edge;
    return { ...walk, position, inOrder };
  }
  const inOrder = orders.length === 1 ? ('whole' as const) : ('first' as const);
  return { ...walk, inOrder, position: startPosition(query, descending, edge, inOrder) };
}

/** Where the start lies beyond the edge of the range, the walk begins there. */
function startPosition(
  { start }: Query,
  descending: boolean,
  edge: Walk['position'],
  inOrder: 'whole' | 'first',
) {
  const key = start?.keys[0];
  if (!start || !key) return edge;
  const whole = inOrder === 'whole';
  // Without an id all records of this key are left out; where further orders decide, none of them is yet.
  const position =
    whole && start.id !== null
      ? { key, id: start.id }
      : { key: whole === descending ? key : after(key), id: '' };
  const ahead = position.key.compare(edge.key) * (descending ? -1 : 1);
  return ahead < 0 ? edge : position;
}

/** What the conditions on a field leave of its index: ranges to look at one after the other, or null for all of it. */
function rangesOf(conditions: Condition[]): KeyRange[] | null {
  const ranges = conditions.flatMap((condition) => rangeOf(condition) ?? []);
  const listed = conditions.find(({ op }) => op === 'in');
  if (ranges.length === 0 && !listed) return null;
  const common = ranges.reduce(
    (left, right) => ({ from: higher(left.from, right.from), below: lower(left.below, right.below) }),
    wholeIndex,
  );
  if (!listed) return [common];
  const keys = new Map((listed.value as unknown[]).map((value) => [sortKeyOf(value).toString('hex'), value]));
  return [...keys.values()].map((value) => {
    const key = indexKeyOf(value);
    return { from: higher(key, common.from), below: lower(after(key), common.below) };
  });
}

/** Keys that are cut stand for several values, so a bound that is one is part of the range; the condition itself decides. */
function rangeOf({ op, value }: Condition): KeyRange | null {
  const key = indexKeyOf(value);
  const cut = key.length === indexKeyBytes;
  const [from, below] = keysOfType(typeOf(value));
  if (op === '==') return { from: key, below: after(key) };
  if (op === '<') return { from, below: cut ? after(key) : key };
  if (op === '<=') return { from, below: after(key) };
  if (op === '>') return { from: cut ? key : after(key), below };
  if (op === '>=') return { from: key, below };
  return null;
}

function higher(left: Buffer, right: Buffer): Buffer {
  return left.compare(right) < 0 ? right : left;
}

function lower(left: Buffer, right: Buffer): Buffer {
  return left.compare(right) < 0 ? left : right;
}
