// A JSON list of objects as rows with fields, for an editor that needs no knowledge of JSON.
import { valueFault } from './parameter.ts';

export type ListRow = Record<string, unknown>;

/** Null for a text that is no valid list of objects, or an empty list, whose fields are not known. */
export function rowsIn(text: string): ListRow[] | null {
  if (valueFault({ type: 'json', text }) !== null) return null;
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : null;
}

function isRow(value: unknown): value is ListRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOfRows(rows: ListRow[]): string {
  return JSON.stringify(rows, null, 2);
}

/** The fields of all rows, in the order in which they occur first. */
export function fieldsOf(rows: ListRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** A row with the fields of the others, empty. */
export function emptyRow(rows: ListRow[]): ListRow {
  const entries = fieldsOf(rows).map((field) => {
    const known = rows.find((row) => row[field] !== undefined && row[field] !== null)?.[field];
    return [field, emptyLike(known)] as const;
  });
  return Object.fromEntries(entries);
}

function emptyLike(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  return isRow(value) ? {} : null;
}

export function withField(rows: ListRow[], place: number, field: string, value: unknown): ListRow[] {
  return rows.map((row, at) => (at === place ? { ...row, [field]: value } : row));
}

/** The row one place up (-1) or down (1); unchanged at either end. */
export function moved(rows: ListRow[], place: number, by: -1 | 1): ListRow[] {
  const to = place + by;
  const [row, other] = [rows[place], rows[to]];
  if (!row || !other) return rows;
  return rows.map((each, at) => (at === place ? other : at === to ? row : each));
}
