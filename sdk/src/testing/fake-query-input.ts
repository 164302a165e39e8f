// Checks the bodies of queries as the real service does: conditions, order, limit and where a page starts.
import { Refusal } from './fake-answer.js';

export interface Condition {
  field: string;
  op: string;
  value: unknown;
}

export interface Order {
  field: string;
  direction?: 'asc' | 'desc';
}

export interface QueryInput {
  where: Condition[];
  /** As given, or by the first field with a range. */
  orders: Order[];
  limit: number;
  /** The values after which the page starts: those of a cursor include the id. */
  start: unknown[] | undefined;
}

const listOps = ['in', 'not-in', 'array-contains-any'];
const rangeOps = ['<', '<=', '>', '>='];
const ops = ['==', '!=', ...rangeOps, ...listOps, 'array-contains'];
const ownFields = ['$id', '$owner_uid', '$created_at', '$updated_at'];
const maxConditions = 20;
const maxOrders = 4;
const maxValues = 30;
const maxPathCharacters = 1_024;
const maxPathKeys = 20;

export function queryInput(body: Record<string, unknown>): QueryInput {
  const { where = [], orderBy = [], limit = 25, startAfter } = body;
  requireKeys(body, ['where', 'orderBy', 'limit', 'startAfter'], 'body');
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw invalid('limit', 'must be a whole number from 1 to 500');
  }
  const conditions = listOf(where, maxConditions, 'where').map(conditionOf);
  const given = listOf(orderBy, maxOrders, 'orderBy').map(orderOf);
  const fields = given.map(({ field }) => field);
  const twice = fields.findIndex((field, index) => fields.indexOf(field) < index);
  if (twice >= 0) throw invalid(`orderBy.${twice}.field`, 'is already in orderBy');
  const range = conditions.find(({ op }) => rangeOps.includes(op));
  const orders = given.length > 0 || !range ? given : [{ field: range.field }];
  return { where: conditions, orders, limit, start: startOf(startAfter, given, orders) };
}

function conditionOf(given: Record<string, unknown>, index: number): Condition {
  const path = `where.${index}`;
  requireKeys(given, ['field', 'op', 'value'], path);
  const { op, value } = given;
  const field = fieldOf(given.field, `${path}.field`);
  if (typeof op !== 'string' || !ops.includes(op)) {
    throw invalid(`${path}.op`, `must be one of ${ops.join(', ')}`);
  }
  if (value === undefined) throw invalid(`${path}.value`, 'is missing');
  if (!listOps.includes(op)) return { field, op, value: operandOf(field, value, `${path}.value`) };
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues) {
    throw invalid(`${path}.value`, `must be an array of 1 to ${maxValues} values`);
  }
  return { field, op, value: value.map((each) => operandOf(field, each, `${path}.value`)) };
}

function orderOf(given: Record<string, unknown>, index: number): Order {
  const path = `orderBy.${index}`;
  requireKeys(given, ['field', 'direction'], path);
  const { direction = 'asc' } = given;
  const field = fieldOf(given.field, `${path}.field`);
  if (direction === 'asc' || direction === 'desc') return { field, direction };
  throw invalid(`${path}.direction`, 'must be one of asc, desc');
}

function startOf(startAfter: unknown, given: Order[], orders: Order[]): unknown[] | undefined {
  if (startAfter === undefined) return undefined;
  if (Array.isArray(startAfter) && startAfter.length > 0 && startAfter.length === given.length) {
    return startAfter.map((value, index) => operandOf(given[index]!.field, value, `startAfter.${index}`));
  }
  try {
    const values = JSON.parse(String(startAfter));
    // All keys, and the id.
    const isOfQuery = Array.isArray(values) && values.length === orders.length + 1;
    if (typeof startAfter === 'string' && isOfQuery) return values;
  } catch {
    // Not a cursor of this fake: refused below.
  }
  throw invalid('startAfter', 'must be the next_cursor of an earlier page, or one value for each of orderBy');
}

/** A dotted path of keys, or a field of the record itself. */
function fieldOf(path: unknown, at: string): string {
  if (typeof path === 'string' && [...path].length <= maxPathCharacters) {
    const keys = path.split('.');
    const areKeys = keys.length <= maxPathKeys && keys.every((key) => key !== '' && !key.startsWith('$'));
    if (areKeys || ownFields.includes(path)) return path;
  }
  throw invalid(at, `must be keys joined by dots, or one of ${ownFields.join(', ')}`);
}

/** Times are compared as strings, so an operand gets the microseconds of the stored ones. */
function operandOf(field: string, value: unknown, at: string): unknown {
  if (!/^\$(created|updated)_at$/.test(field) || typeof value !== 'string') return value;
  const [, seconds = '', fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(value) ?? [];
  if (!Number.isNaN(Date.parse(`${seconds}Z`))) return `${seconds}.${fraction.padEnd(6, '0')}Z`;
  throw invalid(at, 'must be a time such as 2026-01-02T03:04:05.678000Z');
}

function listOf(value: unknown, max: number, at: string): Record<string, unknown>[] {
  if (!Array.isArray(value) || value.length > max) throw invalid(at, `must be an array of at most ${max}`);
  const wrong = value.findIndex((each) => typeof each !== 'object' || each === null || Array.isArray(each));
  if (wrong >= 0) throw invalid(`${at}.${wrong}`, 'must be an object');
  return value;
}

function requireKeys(given: Record<string, unknown>, known: string[], at: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) throw invalid(at, `has the unknown key ${unknown}`);
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('data/invalid-query', { [field]: [message] });
}
