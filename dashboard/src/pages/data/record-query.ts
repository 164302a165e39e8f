// A query of records: as it is typed, as it is in the URL, and as it is sent to the service.
import { takesList } from '@foyer/contract';
import { capitalized } from '../../components/capitalized.ts';
import { jsonFault } from '../../components/json-fault.ts';
import { recordNumberFault } from '../../components/number-faults.ts';
import type { RecordOrder } from '../../components/record-order.ts';

export const operators = {
  '==': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least',
  in: 'is one of',
  'not-in': 'is none of',
  'array-contains': 'contains',
  'array-contains-any': 'contains one of',
} as const;

export type Operator = keyof typeof operators;

export type Condition = { field: string; op: Operator; value: string };
export type RecordQuery = { where: Condition[]; orderBy: RecordOrder[] };

/** The values between commas, which may also be in a quoted text. */
const listedValue = /(?:"(?:\\.|[^"\\])*"|[^,])+/g;

/** JSON where it is JSON, else text: `5` is a number and `"5"` a text. */
export function conditionValue({ op, value }: Condition): unknown {
  const read = jsonOr(value.trim(), value);
  if (!takesList(op) || Array.isArray(read)) return read;
  return partsOf(value).map((part) => jsonOr(part, part));
}

/** Why a number in the value cannot be sent as it is typed: rounded, it would find other records. */
export function conditionFault({ op, value }: Condition): string | null {
  const texts = [value.trim(), ...(takesList(op) ? partsOf(value) : [])];
  const faults = texts
    .filter((text) => jsonFault(text) === null)
    .map((text) => jsonFault(text, { numberFault: recordNumberFault })?.message);
  const message = faults.find((each) => each !== undefined);
  return message === undefined ? null : capitalized(message);
}

function partsOf(value: string): string[] {
  return (value.match(listedValue) ?? ['']).map((part) => part.trim());
}

function jsonOr(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function bodyOf({ where, orderBy }: RecordQuery) {
  return {
    where: where.map((condition) => ({
      field: condition.field.trim(),
      op: condition.op,
      value: conditionValue(condition),
    })),
    orderBy: orderBy.map(({ field, direction }) => ({ field: field.trim(), direction })),
  };
}

/** Empty if the query is for all records. */
export function queryText(query: RecordQuery): string {
  return query.where.length + query.orderBy.length === 0 ? '' : JSON.stringify(query);
}

/** The result is a query for every URL. */
export function queryIn(text: string | undefined): RecordQuery {
  const read = jsonOr(text || '{}', '') as Partial<Record<keyof RecordQuery, unknown>> | null;
  return {
    where: listOf(read?.where)
      .filter(({ op }) => Object.hasOwn(operators, String(op)))
      .map(({ field, op, value }) => ({ field: String(field), op: op as Operator, value: String(value) })),
    orderBy: listOf(read?.orderBy).map(({ field, direction }) => ({
      field: String(field),
      direction: direction === 'desc' ? 'desc' : 'asc',
    })),
  };
}

function listOf(given: unknown): Record<string, unknown>[] {
  return Array.isArray(given) ? given.filter((item) => typeof item === 'object' && item !== null) : [];
}
