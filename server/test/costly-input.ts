// Inputs that make naive code do much work for few bytes, and the places of a schema that take a string.
import * as z from 'zod';
import { thorough } from './thorough.js';

/** Strings of at most so many bytes, by what they cost code that processes before it measures. */
export function baitTexts(bytes: number): [string, string][] {
  const repeated = (text: string, before = '', after = '') => {
    const room = bytes - Buffer.byteLength(before + after);
    return before + text.repeat(Math.max(0, Math.floor(room / Buffer.byteLength(text)))) + after;
  };
  const half = Math.floor(bytes / 4) - 1;
  return [
    ['accents out of order', `a${'\u0344'.repeat(half)}${'\u0323'.repeat(half)}`],
    ['a character that becomes eighteen', repeated('\ufdfa')],
    ['white space', repeated(' ', 'a', 'a')],
    ['an address with a long path', repeated('/..', 'https://a.b')],
    ['an international host', repeated('ä.', 'https://', 'example')],
    ['many dots', repeated('a.', 'a@', 'com')],
    ['many tags', repeated('+tag', 'a', '@example.com')],
    ['a key in PEM', repeated('A ', '-----BEGIN PRIVATE KEY-----')],
  ];
}

/** Whole bodies of at most so many bytes and values, as JSON. */
export function baitBodies(
  { bytes, values: maxValues, keys: maxKeys }: { bytes: number; values: number; keys: number },
  schema: z.ZodType,
): [string, string][] {
  const most = maxValues - 10;
  const list = (item: string, count = bytes) => {
    const length = Math.min(count, Math.floor((bytes - 100) / (item.length + 1)));
    return `[${Array(length).fill(item).join()}]`;
  };
  const keysOf = (count: number, length: number) =>
    `{${Array.from({ length: count }, (_, at) => `"${String(at).padEnd(length, 'k')}":0`).join()}}`;
  const deep = (levels: number) => `${'[{"a":'.repeat(levels)}0${'}]'.repeat(levels)}`;
  const values: [string, string][] = [
    ['zeros', list('0')],
    ['empty lists', list('[]')],
    ['as many values as may be', list('0', most)],
    ['as many texts as may be', list('"a"', most)],
    ['as many objects as may be', list('{}', most)],
    ['many keys', keysOf(Math.min(maxKeys - 1, most, Math.floor(bytes / 14)), 6)],
    ['long keys', keysOf(Math.floor(bytes / 1_100), 1_000)],
    ['the deepest', deep(49)],
    ['too deep', deep(Math.floor(bytes / 10))],
    ['escapes', `"${'\\u0041'.repeat(Math.floor(bytes / 6) - 20)}"`],
    ['a text that cannot be stored behind many', `{"a":${list('"a"', most - 10)},"b":"\\u0000"}`],
    ['long numbers', list('1234567890.123456789e-300', most)],
  ];
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return [
    ...values,
    ...names.flatMap((name, place) =>
      values
        .filter(([what]) => fieldInputs(place).includes(what))
        .map(([what, text]): [string, string] => [`${name}: ${what}`, `{${JSON.stringify(name)}:${text}}`]),
    ),
  ];
}

/** The others differ little from these, and the test should be short. */
const alsoInFields = ['as many texts as may be', 'as many objects as may be', 'many keys', 'the deepest'];

/** In a short run one for each field of a body, in turn. */
function fieldInputs(place: number): (string | undefined)[] {
  return thorough ? alsoInFields : [alsoInFields[place % alsoInFields.length]];
}

const long = 8_000;
export const baitHeaders: [string, string][] = [
  ['Authorization', `Bearer ${'a.'.repeat(long / 2)}`],
  ['Authorization', `Bearer ${' '.repeat(long)}x`],
  ['Authorization', `Bearer sk_${'a'.repeat(long)}`],
  ['Content-Type', `application/json${' '.repeat(long)}x`],
  ['Content-Type', `application/json;${' ;charset'.repeat(long / 9)}`],
  ['User-Agent', `Mozilla/5.0 ${'(X11; '.repeat(long / 6)}`],
  ['User-Agent', `${'Version/1.'.repeat(long / 10)}`],
  ['X-Client-Device', '\xcd\x84\xcc\xa3'.repeat(long / 4)],
  ['Accept-Language', 'de-CH-1996-a-b-c,'.repeat(long / 17)],
  ['Accept-Language', 'a-'.repeat(long / 2)],
  ['Idempotency-Key', 'k'.repeat(long)],
  ['If-Match', '"a", '.repeat(long / 5)],
  ['If-None-Match', `${'W/"a",'.repeat(long / 6)}x`],
  ['Origin', `https://${'a.'.repeat(long / 2)}`],
  ['X-Forwarded-For', '1.1.1.1, '.repeat(long / 9)],
  ['Cookie', 'a=b; '.repeat(long / 5)],
];

type Place = (string | number)[];
type Schema = z.core.$ZodType;
/** The parts of zod's definitions that are used here; each type has some. */
type Definition = {
  type: string;
  shape: Record<string, Schema>;
  element: Schema;
  valueType: Schema;
  options: Schema[];
  in: Schema;
  out: Schema;
  innerType?: Schema;
};

function definitionOf(schema: Schema): Definition {
  return schema._zod.def as unknown as Definition;
}

/**
 * The paths to all strings in the schema, with the schema of the string if it has one; for a list, its first item. The key
 * of a record is a string, too.
 */
export function textPlaces(schema: Schema, place: Place = []): { place: Place; text?: Schema }[] {
  const def = definitionOf(schema);
  const inner = def.innerType ?? def.in;
  switch (def.type) {
    case 'string':
      return [{ place, text: schema }];
    case 'object':
      return Object.entries(def.shape).flatMap(([key, value]) => textPlaces(value, [...place, key]));
    case 'array':
      return textPlaces(def.element, [...place, 0]);
    case 'record':
      return [{ place: [...place, key] }, ...textPlaces(def.valueType, [...place, 'x'])];
    case 'union':
      return def.options.flatMap((option) => textPlaces(option, place));
    case 'pipe':
      return textPlaces(definitionOf(def.in).type === 'transform' ? def.out : def.in, place);
    case 'unknown':
    case 'custom':
      return [{ place: [...place, 'x'] }];
    default:
      return inner ? textPlaces(inner, place) : [];
  }
}

/** A placeholder for the bait itself as the key of a record. */
const key = '<key>';

/** A body with the string in this place, and with the documented examples in all others. */
export function bodyOf(schema: z.ZodType, place: Place, text: string): unknown {
  const body: unknown = structuredClone(exampleOf(schema)) ?? {};
  return withText(body, place, text);
}

function withText(value: unknown, [step, ...rest]: Place, text: string): unknown {
  if (step === undefined) return text;
  if (step === key) return { [text]: 'x' };
  const object = typeof value === 'object' && value !== null;
  if (typeof step === 'number') return [withText(object ? (value as unknown[])[0] : undefined, rest, text)];
  const base = object && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  return { ...base, [step]: withText(base[step], rest, text) };
}

function exampleOf(schema: Schema): unknown {
  const example = z.globalRegistry.get(schema)?.example;
  if (example !== undefined) return example;
  const def = definitionOf(schema);
  if (def.type === 'object') {
    return Object.fromEntries(Object.entries(def.shape).map(([name, value]) => [name, exampleOf(value)]));
  }
  const inner = def.innerType ?? def.in;
  return inner ? exampleOf(inner) : undefined;
}
