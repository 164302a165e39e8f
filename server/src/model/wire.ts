// Rows as answers, and inputs as rows: names in snake case on the wire, times as text.
import { type Snake, snakeOf } from '@foyer/prisma';
import { timestamp } from '../lib/timestamp.js';

type OnWire<Value> = Value extends Date ? string : Value;

export type Wire<Row> = { [Name in keyof Row & string as Snake<Name>]: OnWire<Row[Name]> };

/** The named values of a row as an answer has them. */
export function toWire<Row, Name extends keyof Row & string>(
  row: Row,
  names: readonly Name[],
): Wire<Pick<Row, Name>> {
  const entries = names.map((name) => {
    const value = row[name];
    return [snakeOf(name), value instanceof Date ? timestamp(value) : value];
  });
  return Object.fromEntries(entries) as Wire<Pick<Row, Name>>;
}

/** The named values of an input as a row has them; undefined where the input has none. */
export function fromWire<Name extends string, Input extends { [Key in Snake<Name>]?: unknown }>(
  input: Input,
  names: readonly Name[],
): { [Key in Name]: Input[Snake<Key>] } {
  const entries = names.map((name) => [name, input[snakeOf(name) as Snake<Name>]]);
  return Object.fromEntries(entries) as { [Key in Name]: Input[Snake<Key>] };
}

/** A table of columns: whether an answer contains each as it is. */
type Table = Record<string, 'shown' | 'internal'>;

export function namesIn<Columns extends Table>(table: Columns): readonly (keyof Columns & string)[] {
  return Object.keys(table);
}

export function shownIn<Columns extends Table>(table: Columns) {
  type Shown = { [Name in keyof Columns & string]: Columns[Name] extends 'shown' ? Name : never };
  const names = Object.keys(table) as (keyof Columns & string)[];
  return names.filter((name): name is Shown[typeof name] => table[name] === 'shown');
}
