// Values of exports, which write them as JSON, or as the text of CSV files.
import * as z from 'zod';
import { type Fields, isObject, jsonIn } from '../../lib/json-rules.js';

/** Null for an empty text and for other types. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** `t` is PostgreSQL's, 1 that of SQLite and MySQL. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(true|t|1)$/i.test(value));
}

/** No service has users from before 1973, so a smaller number counts seconds. */
const firstMilliseconds = 100_000_000_000;

/** Milliseconds or seconds since 1970 as a number or as text, or a date with a time, in UTC unless it says otherwise. */
export function timeOf(value: unknown): Date | null {
  const number = typeof value === 'string' && /^\d{10,}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  // The number zero stands for a missing time.
  const milliseconds =
    typeof number === 'number'
      ? number * (number < firstMilliseconds ? 1_000 : 1) || Number.NaN
      : Date.parse(isoOf(textOf(number) ?? ''));
  return Number.isNaN(milliseconds) || milliseconds < 0 || milliseconds > 8.64e15
    ? null
    : new Date(milliseconds);
}

/**
 * PostgreSQL writes `2024-01-15 10:30:00.123456+00`, other programs `2024-01-15 10:30:00 UTC`. Of other forms only those with a
 * zone are read, since `Date` takes `5` for a month and `1/15/2024 10:30` for a time in the zone of this machine.
 */
function isoOf(text: string): string {
  const [, day, time, zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(.*))?$/.exec(text) ?? [];
  if (day === undefined) return /\b(?:GMT|UTC)\b| [+-]\d{4}$/.test(text) ? text : '';
  if (!z.iso.date().safeParse(day).success) return '';
  if (time === undefined) return day;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?(?: UTC)?$/.exec(zone) ?? [];
  const offset = hours === undefined ? zone.replace(/^(?:UTC|GMT)?$/, 'Z') : `${hours}:${minutes}`;
  return `${day}T${time}${offset}`;
}

/** An object, or its JSON in a column of a CSV file; empty for anything else. */
export function objectOf(value: unknown): Fields {
  const found = typeof value === 'string' ? jsonIn(value) : value;
  return isObject(found) ? found : {};
}

/** The objects of a list, or of its JSON in a column of a CSV file; null for anything else. */
export function listOf(value: unknown): Fields[] | null {
  const found = typeof value === 'string' ? jsonIn(value) : value;
  return Array.isArray(found) ? found.filter(isObject) : null;
}

export function isEmpty(value: Fields): boolean {
  return Object.keys(value).length === 0;
}
