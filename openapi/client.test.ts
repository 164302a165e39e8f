// The document for generators of clients: the calls of v2.json, with a name for every type and room for what later versions
// of the service answer.
import { readFileSync } from 'node:fs';
import { errorCodes } from '@foyer/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as whole from './committed-v2.js';
import {
  type Body,
  type ClientDocument,
  everySchema,
  nameIn,
  type Operation,
  operationsIn,
  type Schema,
  successesIn,
} from './generator/client/schema.js';
import { documents } from './generator/documents.js';
import { answeredErrors } from './generator/error-answers.js';

const generated = documents();
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as ClientDocument;
const client = read('v2.client.json');
const webhooks = read('v2.webhooks.json');
const operations = operationsIn(client);
const { schemas } = client.components;

test.each(['v2.client.json', 'v2.client-3.0.json', 'v2.webhooks.json', 'v2.arazzo.json'])(
  'the committed %s is what the generator makes of the contract',
  (name) => {
    expect(readFileSync(new URL(name, import.meta.url), 'utf8')).toBe(generated[name]);
  },
);

test('it has the calls of v2.json with the same credentials, parameters and successes, and one answer for all errors', () => {
  expect(Object.keys(client.paths)).toEqual(Object.keys(whole.document.paths));
  for (const { route, id } of whole.operations) {
    const { operationId, security, parameters, responses, requestBody } = whole.documented(route);
    const own = operations.find((operation) => operation.operationId === operationId) as Operation;
    expect({ security: own.security, parameters: own.parameters }).toEqual({ security, parameters });
    expect(Object.keys(own.requestBody?.content ?? {})).toEqual(Object.keys(requestBody?.content ?? {}));
    expect(Object.keys(own.responses)).toEqual([
      ...Object.keys(responses).filter((status) => Number(status) < 400),
      'default',
    ]);
    const codes = own['x-error-codes'] as string[];
    expect([...codes].sort(), id).toEqual([...answeredErrors(route)].sort());
  }
});

test('every body has a name, and so has every object inside one', () => {
  const bodies = operations.flatMap((operation) => [
    operation.requestBody,
    ...successesIn(operation).map(([, answer]) => answer),
  ]);
  const unnamed = bodies.flatMap(schemasOf).filter((schema) => !schema.$ref && schema.format !== 'binary');
  expect(unnamed).toEqual([]);
  const inside = Object.values(schemas).flatMap((schema) => [...everySchema(schema)].slice(1));
  expect(inside.filter(({ properties }) => properties)).toEqual([]);
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['SignUpRequest', 'AdminUserPage', 'UserEnvelope', 'QueryCondition', 'ApiError']),
  );
  // Names that generators or languages have taken for their own.
  const taken = Object.keys(schemas).filter((name) => /Response$|^(Error|File|Blob|Object)$/.test(name));
  expect(taken).toEqual([]);
  // In Go, `NewInvitation` makes an `Invitation`.
  expect(Object.keys(schemas).filter((name) => `New${name}` in schemas)).toEqual([]);
});

test('its only unions are those of an object and null', () => {
  const unions = [...Object.values(schemas), ...Object.values(webhooks.components.schemas)]
    .flatMap((schema) => [...everySchema(schema)])
    .flatMap(({ oneOf, anyOf, allOf }) => [oneOf, anyOf, allOf].filter((choices) => choices !== undefined));
  expect(unions.length).toBeGreaterThan(3);
  for (const choices of unions) expect(choices).toEqual([{ $ref: expect.any(String) }, { type: 'null' }]);
});

test('answers and webhooks have no bounds and no closed enumerations, and requests keep theirs', () => {
  const sent = Object.values(webhooks.webhooks ?? {}).flatMap(({ post }) => schemasOf(post?.requestBody));
  const answers = operations.flatMap((operation) =>
    successesIn(operation).flatMap(([, answer]) => schemasOf(answer)),
  );
  const closed = /^(enum|minimum|maximum|minLength|maxLength|minItems|maxItems|pattern)$/;
  const keysIn = (roots: Schema[], document: ClientDocument) =>
    allSchemas(roots, document).flatMap((schema) => Object.keys(schema).filter((key) => closed.test(key)));
  const error = schemasOf(client.components.responses.Error);
  expect([...keysIn([...answers, ...error], client), ...keysIn(sent, webhooks)]).toEqual([]);
  const requests = operations.flatMap(({ requestBody }) => schemasOf(requestBody));
  expect(new Set(keysIn(requests, client)).size).toBeGreaterThan(6);
  expect(schemas.ApiError?.properties?.code?.['x-extensible-enum']).toEqual(errorCodes);
});

test('every answer and request that v2.json shows has its type, and so has one with more in it', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(client, 'client');
  const faults: unknown[] = [];
  const check = (schema: Schema, value: unknown, where: string) => {
    const isBytes = schema.format === 'binary';
    if (!isBytes && !ajv.validate({ $ref: `client${schema.$ref}` }, value))
      faults.push([where, ajv.errorsText()]);
  };
  let checked = 0;
  for (const { route, id } of whole.operations) {
    const { operationId, responses, requestBody } = whole.documented(route);
    const own = operations.find((operation) => operation.operationId === operationId) as Operation;
    const [input] = schemasOf(own.requestBody);
    // Clients have the form of `startAfter` that is a cursor.
    if (input && id !== 'data.query')
      check(input, Object.values(requestBody?.content ?? {})[0]?.example, `${id} request`);
    for (const [status, answer] of successesIn(own)) {
      const [schema] = schemasOf(answer);
      const example = Object.values(responses[status]?.content ?? {})[0]?.example as { data?: object };
      if (!schema) continue;
      check(schema, example, `${id} ${status}`);
      if (example.data) check(schema, { ...example, data: { ...example.data, new_field: 1 } }, `${id} new`);
      checked += 1;
    }
  }
  check(
    { $ref: '#/components/schemas/ErrorEnvelope' },
    { error: { code: 'auth/new', message: '', fields: {} } },
    'code',
  );
  expect(faults).toEqual([]);
  expect(checked).toBeGreaterThan(80);
});

test('the form for generators of 3.0 is the same document', () => {
  const older = read('v2.client-3.0.json');
  expect(older.openapi).toBe('3.0.3');
  expect(operationsIn(older).map(({ operationId }) => operationId)).toEqual(
    operations.map(({ operationId }) => operationId),
  );
  expect(Object.keys(older.components.schemas)).toEqual(Object.keys(schemas));
  for (const schema of Object.values(older.components.schemas).flatMap((root) => [...everySchema(root)])) {
    expect(Array.isArray(schema.type) || schema.oneOf !== undefined || schema.type === 'null').toBe(false);
  }
});

function schemasOf(body: Body | undefined): Schema[] {
  return Object.values(body?.content ?? {}).map(({ schema }) => schema);
}

/** The schemas and all that they refer to. */
function allSchemas(roots: Schema[], { components }: ClientDocument): Schema[] {
  const names = new Set<string>();
  const visit = (root: Schema): Schema[] =>
    [...everySchema(root)].flatMap((schema) => {
      const name = nameIn(schema);
      if (name === undefined || names.has(name)) return [schema];
      names.add(name);
      return [schema, ...visit(components.schemas[name] as Schema)];
    });
  return roots.flatMap(visit);
}
