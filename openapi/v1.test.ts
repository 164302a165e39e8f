// The v1 document against the contract it is made from.
import { readFileSync } from 'node:fs';
import { V1Error, v1ConfigNames, v1Contract, v1ErrorOf, v1SwitchedOff } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { documentOf, textOf } from './generator/document.js';
import { bodyOf, operationsOf, successesOf } from './generator/routes.js';
import { v1 } from './generator/v1.js';
import { v1ErrorsOf } from './generator/v1-error-answers.js';

type Body = Record<
  string,
  {
    schema: { properties: { data: { required: string[] } } };
    example?: unknown;
    examples?: Record<string, { value: unknown }>;
  }
>;
type Operation = {
  operationId: string;
  deprecated: boolean;
  summary: string;
  description: string;
  security: object[];
  requestBody?: { content: Body };
  responses: Record<string, { description: string; headers: object; content: Body }>;
};

const committed = readFileSync(new URL('v1.json', import.meta.url), 'utf8');
const document = JSON.parse(committed) as { paths: Record<string, Record<string, Operation>> };
const operations = operationsOf(v1Contract);

test('the committed v1.json is what the generator makes of the contract', () => {
  expect(committed).toBe(textOf(documentOf(v1)));
});

test('the document has the seven endpoints of v1 under their names, and no other', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual([
    'accountsDelete',
    'accountsForgotPassword',
    'accountsGet',
    'accountsLogIn',
    'accountsLogOut',
    'accountsRegister',
    'accountsResetPassword',
  ]);
});

test('every call is deprecated: new apps call v2', () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(all.filter(({ deprecated }) => deprecated !== true)).toEqual([]);
});

test('signing in and reading the user return every parameter of the app', () => {
  for (const [path, method] of [
    ['/login', 'post'],
    ['/me', 'get'],
  ] as const) {
    const { schema } = document.paths[path]?.[method]?.responses['200']?.content['application/json'] ?? {};
    expect(schema?.properties.data.required).toEqual(expect.arrayContaining(['user', ...v1ConfigNames]));
  }
});

describe.each(operations)('$id', ({ route }) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()] as Operation;

  test('shows a body and a success that its own schemas accept', () => {
    const body = bodyOf(route);
    expect(operation.requestBody === undefined).toBe(body === undefined);
    const example = operation.requestBody?.content['application/json']?.example;
    expect(body?.safeParse(example).error).toBeUndefined();
    for (const [status, schema] of successesOf(route)) {
      const shown = operation.responses[status]?.content['application/json']?.example;
      expect((schema as z.ZodType).safeParse(shown).error).toBeUndefined();
    }
  });

  test('says under each status every sentence that it can answer there, and says of 410 that v1 is off', () => {
    const said = new Map<number, string[]>([[v1SwitchedOff.status, [v1SwitchedOff.message]]]);
    for (const code of v1ErrorsOf(route)) {
      const { status, message } = v1ErrorOf(code);
      said.set(status, [...(said.get(status) ?? []), message]);
    }
    const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    expect(failures.map(([status]) => Number(status)).sort()).toEqual([...said.keys()].sort());
    for (const [status, { description, content }] of failures) {
      const examples = Object.values(content['application/json']?.examples ?? {}).map(({ value }) => value);
      expect(examples).toEqual((said.get(Number(status)) ?? []).map((message) => ({ message })));
      for (const example of examples) {
        const { message } = V1Error.strict().parse(example);
        expect(description).toContain(message);
      }
    }
  });

  test('describes its rate limits without the headers of v2', () => {
    expect(JSON.stringify(operation)).not.toContain('X-Code-Flow');
  });

  test('documents on every answer the headers of the shutdown date', () => {
    for (const { headers } of Object.values(operation.responses)) {
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['X-Request-Id', 'Sunset', 'Deprecation', 'Link']),
      );
    }
  });
});
