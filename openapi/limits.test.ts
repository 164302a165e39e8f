// Every value of the documents has its bounds: generators of clients and gateways that check requests rely on them.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Schema = Record<string, unknown>;

/** Every schema with a type, by its place; examples are values and no schemas. */
function schemasOf(part: unknown, place = ''): [place: string, schema: Schema][] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.entries(part).flatMap(([key, value]) =>
    ['example', 'examples', 'default', 'enum'].includes(key) ? [] : schemasOf(value, `${place}/${key}`),
  );
  const { type } = part as Schema;
  const isSchema =
    (typeof type === 'string' && !('scheme' in part) && !('in' in part)) || Array.isArray(type);
  return isSchema ? [[place, part as Schema], ...inner] : inner;
}

function missingBounds(schema: Schema): string[] {
  const types = [schema.type].flat();
  const missing = (keys: string[]) => keys.filter((key) => !(key in schema));
  return [
    ...(types.includes('integer') ? missing(['format', 'minimum', 'maximum']) : []),
    // A double is bounded by its format; parsers of other languages cannot read its bounds as numbers.
    ...(types.includes('number') ? missing(['format']) : []),
    ...(types.includes('array') ? missing(['maxItems']) : []),
    ...(types.includes('string') && missing(['maxLength', 'format', 'enum', 'const', 'pattern']).length === 5
      ? ['maxLength']
      : []),
  ];
}

describe.each(['v1.json', 'v2.json'])('%s', (file) => {
  const document: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const schemas = schemasOf(document);

  test('says how long texts and lists may be, and what numbers may be', () => {
    expect(schemas.length).toBeGreaterThan(50);
    const unbounded = schemas
      .map(([place, schema]) => [place, missingBounds(schema)] as const)
      .filter(([, missing]) => missing.length > 0);
    expect(Object.fromEntries(unbounded)).toEqual({});
  });

  test('shows no pattern for an email, which the service trims and lower-cases before it is judged', () => {
    const emails = schemas.filter(([, { format }]) => format === 'email');
    expect(emails.length).toBeGreaterThan(3);
    expect(emails.filter(([, schema]) => 'pattern' in schema)).toEqual([]);
  });
});
