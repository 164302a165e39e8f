// Requests from the OpenAPI document: its example, with one value or parameter at or beyond the limits that the document
// states, of another type, missing, or hostile.
import { gzipSync } from 'node:zlib';
import type { Input, Overrides } from '../../test/bad-input.js';
import { type Chance, oddBytes, oddText, oddValue } from '../../test/bad-values.js';
import { type ContractRoute, pathOf } from '../../test/contract-routes.js';
import { type Operation, resolved, type Schema } from './described.js';

export function documentedInput(
  chance: Chance,
  { route }: ContractRoute,
  { parameters = [], requestBody }: Operation,
  given: Overrides,
): Input {
  const params: Record<string, string> = {};
  const query: string[] = [];
  const headers: [string, string][] = [['X-App-Key', given.appKey]];
  if (given.bearer !== null) headers.push(['Authorization', `Bearer ${given.bearer}`]);
  let known = true;
  for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) params[name] = given.params[name] ?? 'x';
  for (const { name, in: place, schema } of parameters) {
    const odd = chance.oneIn(4);
    if (place === 'path' && odd && chance.oneIn(3)) {
      params[name] = encodeURIComponent(textOf(edgeValue(chance, schema)).slice(0, 3_000)) || 'x';
      known = false;
    }
    if (place === 'query' && odd)
      query.push(`${name}=${encodeURIComponent(textOf(edgeValue(chance, schema)).slice(0, 3_000))}`);
    if (place === 'header' && odd) headers.push([name, headerText(textOf(edgeValue(chance, schema)))]);
  }
  const path = `${given.prefix}${pathOf(route, params)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const json = requestBody?.content['application/json'];
  if (!json) return { method: route.method, path, headers, body: null, known };
  const example = { ...(structuredClone(json.example) as object | undefined) };
  for (const key of Object.keys(example))
    if (key in given.values) Object.assign(example, { [key]: given.values[key] });
  let body = chance.oneIn(20)
    ? oddBytes(chance, mutated(chance, example, json.schema))
    : Buffer.from(rawJson(chance, mutated(chance, example, json.schema)));
  headers.push(['Content-Type', chance.oneIn(40) ? 'text/plain' : 'application/json']);
  if (chance.oneIn(30)) {
    body = chance.oneIn(3)
      ? gzipSync(Buffer.alloc(chance.pick([1_000, 200_000, 20_000_000]), ' '))
      : gzipSync(body);
    headers.push(['Content-Encoding', 'gzip']);
  }
  return { method: route.method, path, headers, body, known };
}

/** JSON text, sometimes with numbers and keys that JSON.stringify does not write. */
function rawJson(chance: Chance, value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  if (!chance.oneIn(12)) return text;
  const hostile = [
    '"__proto__":{"polluted":true},',
    '"constructor":{"prototype":{"polluted":true}},',
    '"a":1e400,',
    '"a":-0,',
    `"a":${'9'.repeat(5_000)},`,
    `"a":${'['.repeat(50_000)}${']'.repeat(50_000)},`,
    `"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)},`,
    `"a":[${'0,'.repeat(40_000)}0],`,
    '"a":"\\ud800",',
    '"a":"\\u0000",',
  ];
  return text.length > 2 ? text.replace('{', `{${chance.pick(hostile)}`) : text;
}

/** The value with one of its parts, chosen by the schema, replaced, removed or repeated. */
function mutated(chance: Chance, value: unknown, given: Schema): unknown {
  const schema = chosen(chance, given);
  const keys = Object.keys(schema.properties ?? {});
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (keys.length > 0 && isObject && !chance.oneIn(15)) {
    const key = chance.pick(keys);
    if (chance.oneIn(12)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    const before = (value as Record<string, unknown>)[key];
    const inner = schema.properties?.[key] as Schema;
    return { ...value, [key]: mutated(chance, before ?? inner.example, inner) };
  }
  if (schema.items && Array.isArray(value) && !chance.oneIn(4)) {
    const item = mutated(chance, value[0] ?? schema.items.example, schema.items);
    const count = chance.oneIn(10) ? (schema.maxItems ?? 100) + chance.number(2) : 1;
    return Array(Math.min(count, 2_000)).fill(item);
  }
  return edgeValue(chance, schema);
}

/** A value at, just inside or just beyond a limit of the schema, or any value. */
function edgeValue(chance: Chance, given: Schema): unknown {
  const schema = chosen(chance, given);
  if (chance.oneIn(4)) return oddValue(chance);
  if (schema.enum && chance.oneIn(2)) return chance.pick(schema.enum);
  const type = Array.isArray(schema.type) ? chance.pick(schema.type) : schema.type;
  if (type === 'string') {
    const length = chance.pick([schema.minLength ?? 0, schema.maxLength ?? 300]) + chance.number(3) - 1;
    return chance.oneIn(2)
      ? oddText(chance)
      : chance.pick(['a', 'é', '\u{1f600}', '\u0000', ' ']).repeat(Math.max(0, Math.min(length, 20_000)));
  }
  if (type === 'integer' || type === 'number')
    return (
      chance.pick([schema.minimum ?? -1, schema.maximum ?? 2 ** 31, 2 ** 53, -1, 0, 1.5]) +
      chance.number(3) -
      1
    );
  if (type === 'boolean') return chance.pick([true, false, 'true', 1]);
  return oddValue(chance);
}

function chosen(chance: Chance, given: Schema): Schema {
  const schema = resolved(given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return chosen(chance, chance.pick(choices));
  return schema.allOf ? Object.assign({}, ...schema.allOf.map(resolved)) : schema;
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}

function headerText(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3_000);
}
