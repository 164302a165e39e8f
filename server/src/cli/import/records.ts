// Reads the records of an export of any size one after the other: CSV with a header, a JSON list, an object with a list of
// users, or a JSON object per line. The first character tells which it is.
import { pipeline } from 'node:stream/promises';
import { limits } from '@foyer/contract';
import { JSONParser } from '@streamparser/json';
import { parse } from 'csv-parse';
import { type Fields, isObject, jsonIn } from '../../lib/json-rules.js';
import { readLines } from '../../v1/import/read-lines.js';
import type { ExportFormat } from './exported-user.js';

export type ExportFile = { open(): AsyncIterable<Uint8Array> };

export type ExportRecord = {
  /** Counted from 1. */
  number: number;
  /** Null for one that is not an object. */
  fields: Fields | null;
  /** Bytes of the file that were read so far. */
  end: number;
};

export async function* recordsOf(file: ExportFile, format: ExportFormat): AsyncGenerator<ExportRecord> {
  let number = 0;
  for await (const { value, end } of valuesOf(file, format)) {
    number += 1;
    yield { number, fields: isObject(value) ? value : null, end };
  }
}

type Value = { value: unknown; end: number };

async function* valuesOf(file: ExportFile, { name, csv, listKey }: ExportFormat): AsyncGenerator<Value> {
  const first = await firstCharacterOf(file);
  if (first === '') return;
  if (first === '[') yield* listedValues(file, '$.*');
  else if (first === '{' && listKey !== undefined) yield* listedValues(file, `$.${listKey}.*`);
  else if (first === '{') yield* lineValues(file);
  else if (csv) yield* csvValues(file);
  else throw new Error(`the file is not the JSON of an export of ${name}`);
}

async function firstCharacterOf(file: ExportFile): Promise<string> {
  for await (const piece of file.open()) {
    const text = new TextDecoder().decode(piece).trimStart();
    if (text !== '') return text.charAt(0);
  }
  return '';
}

async function* listedValues(file: ExportFile, path: string): AsyncGenerator<Value> {
  const parser = new JSONParser({ paths: [path], keepStack: false });
  let found: unknown[] = [];
  parser.onValue = ({ value }) => void found.push(value);
  let end = 0;
  for await (const piece of file.open()) {
    end += piece.length;
    parser.write(piece);
    const values = found;
    found = [];
    for (const value of values) yield { value, end };
  }
  if (!parser.isEnded) throw new Error('the file ends in the middle of its JSON');
}

async function* lineValues(file: ExportFile): AsyncGenerator<Value> {
  for await (const { text, end } of readLines(file.open(), limits.maxV1LineBytes)) {
    if (text?.trim() !== '') yield { value: text === null ? null : jsonIn(text), end };
  }
}

async function* csvValues(file: ExportFile): AsyncGenerator<Value> {
  const parser = parse({
    columns: true,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: limits.maxV1LineBytes,
  });
  const feeding = pipeline(file.open(), parser);
  // Its error destroys the parser, which then throws it below.
  feeding.catch(() => {});
  for await (const { record, info } of parser) yield { value: record, end: info.bytes };
}
