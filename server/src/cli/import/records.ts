// Reads the records of an export of any size one after the other: CSV with a header, a JSON list, an object with a list of
// users, or a JSON object per line. The beginning tells which it is.
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { limits } from '@foyer/contract';
import { JSONParser } from '@streamparser/json';
import { parse } from 'csv-parse';
import { type Fields, isObject, jsonIn } from '../../lib/json-rules.js';
import { problemOf, readLines } from '../../v1/import/read-lines.js';
import type { ExportFormat } from './exported-user.js';

export type ExportFile = { open(): AsyncIterable<Uint8Array> };

export type ExportRecord = {
  /** Counted from 1. */
  number: number;
  /** Null for one that is not an object: then `problem` says why. */
  fields: Fields | null;
  problem: string;
  /** Bytes of the file that were read so far. */
  end: number;
};

export async function* recordsOf(written: ExportFile, format: ExportFormat): AsyncGenerator<ExportRecord> {
  const file = await readable(written);
  let number = 0;
  for await (const { value, end, problem = 'is not a JSON object' } of valuesOf(file, format)) {
    number += 1;
    yield { number, fields: isObject(value) ? value : null, problem, end };
  }
}

type Value = { value: unknown; end: number; problem?: string };

async function* valuesOf(file: ExportFile, { name, csv, listKey }: ExportFormat): AsyncGenerator<Value> {
  const beginning = await beginningOf(file);
  if (beginning === '') return;
  const key = pageOfUsers.test(beginning) ? 'users' : listKey;
  if (beginning.startsWith('[')) yield* listedValues(file, '$.*');
  else if (beginning.startsWith('{') && key !== undefined) yield* listedValues(file, `$.${key}.*`);
  else if (beginning.startsWith('{')) yield* lineValues(file);
  else if (csv) yield* csvValues(file);
  else throw new Error(`the file is not the JSON of an export of ${name}`);
}

/** The file in UTF-8: PowerShell and Excel write UTF-16 too, which begins with this mark. */
async function readable(file: ExportFile): Promise<ExportFile> {
  for await (const [first, second] of file.open()) {
    return first === 0xff && second === 0xfe ? { open: () => decoded(file, 'utf-16le') } : file;
  }
  return file;
}

/** Throws instead of storing U+FFFD in place of the letters of another encoding. */
async function* decoded(file: ExportFile, encoding: 'utf-8' | 'utf-16le'): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const piece of file.open()) yield Buffer.from(decoder.decode(piece, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Error('the file is not UTF-8; save it in this encoding', { cause });
  }
}

/** What the APIs of Supabase and Auth0 answer: an object with a list, after the numbers of its page. */
const pageOfUsers = /^\{(?:\s*"\w{1,20}"\s*:\s*\d{1,20}\s*,){0,10}\s*"users"\s*:\s*\[/;

async function beginningOf(file: ExportFile): Promise<string> {
  for await (const piece of file.open()) {
    const text = new TextDecoder().decode(piece).trimStart();
    if (text !== '') return text;
  }
  return '';
}

async function* listedValues(file: ExportFile, path: string): AsyncGenerator<Value> {
  const parser = new JSONParser({ paths: [path], keepStack: false });
  let found: unknown[] = [];
  parser.onValue = ({ value }) => void found.push(value);
  let end = 0;
  for await (const piece of decoded(file, 'utf-8')) {
    end += piece.length;
    parser.write(piece);
    const values = found;
    found = [];
    for (const value of values) yield { value, end };
  }
  if (!parser.isEnded) throw new Error('the file ends in the middle of its JSON');
}

async function* lineValues(file: ExportFile): AsyncGenerator<Value> {
  for await (const line of readLines(file.open(), limits.maxV1LineBytes)) {
    const { text, end } = line;
    if (text === null) yield { value: null, end, problem: problemOf(line) };
    else if (text.trim() !== '') yield { value: jsonIn(text), end };
  }
}

async function* csvValues(file: ExportFile): AsyncGenerator<Value> {
  const { delimiter, fromLine } = await layoutOf(file);
  const hasTabs = delimiter === '\t';
  const unquoted = (cell: string) => {
    if (/^(?:NULL|\\N)$/.test(cell)) return '';
    return hasTabs ? (quotedText(cell) ?? unescaped(cell)) : cell;
  };
  const parser = parse({
    columns: (names: string[]) => names.map((name) => name.trim()),
    cast: (cell, { quoting }) => (quoting ? cell : unquoted(cell)),
    delimiter,
    // COPY quotes no cell between tabs: a mark at the beginning of a name must not join the lines up to the next one.
    quote: hasTabs ? null : '"',
    // A tab is white space too: trimming would drop empty cells.
    trim: !hasTabs,
    // Programs that put few cells in quotation marks leave those within a name as they are.
    relax_quotes: true,
    from_line: fromLine,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // The parser stops at a longer one, as after a quotation mark that nothing ends.
    max_record_size: 4 * limits.maxV1LineBytes,
  });
  const feeding = pipeline(decoded(file, 'utf-8'), parser);
  // Its error destroys the parser, which then throws it below.
  feeding.catch(() => {});
  let start = 0;
  for await (const { record, info } of parser) {
    const { bytes: end } = info;
    yield end - start > limits.maxV1LineBytes
      ? { value: null, end, problem: problemOf({ problem: 'too long' }) }
      : { value: record, end };
    start = end;
  }
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The text of a cell that is in quotation marks as a whole, as Excel writes some between tabs; otherwise null. */
function quotedText(cell: string): string | null {
  if (cell.length < 2 || !cell.startsWith('"') || !cell.endsWith('"')) return null;
  const text = cell.slice(1, -1);
  return text.replaceAll('""', '').includes('"') ? null : text.replaceAll('""', '"');
}

/** Between tabs COPY escapes the backslashes, tabs and line ends in a cell. */
function unescaped(cell: string): string {
  return cell.replace(/\\([\\bfnrtv])/g, (_, character: string) => escapes[character] ?? character);
}

/**
 * Excel writes semicolons where the comma is for decimals, and may name the separator in a line before the header; COPY writes
 * tabs. No service has one of them in the name of a column.
 */
async function layoutOf(file: ExportFile): Promise<{ delimiter: string; fromLine: number }> {
  for await (const piece of file.open()) {
    const [line = ''] = new TextDecoder().decode(piece).split(/[\r\n]/, 1);
    const [, named] = /^sep=([,;\t])$/i.exec(line) ?? [];
    if (named !== undefined) return { delimiter: named, fromLine: 2 };
    const delimiter = line.includes(',') ? ',' : (/[;\t]/.exec(line)?.[0] ?? ',');
    return { delimiter, fromLine: 1 };
  }
  return { delimiter: ',', fromLine: 1 };
}
