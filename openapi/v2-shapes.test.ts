// The shapes of requests and responses in the v2 document: what generated clients make of them.
import { hasBody, limits, WebhookPayload } from '@foyer/contract';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { answerOf, document, documented, operations } from './committed-v2.js';
import { bodyOf, bodyTypeOf, dataOf, keysOf } from './generator/routes.js';

test('requests of apps may hold keys that the document does not know, and those of backends and of the dashboard may not', () => {
  const strict = operations.filter(({ route }) =>
    JSON.stringify(documented(route)).includes('"additionalProperties":false'),
  );
  const admin = operations.filter(({ route }) => /^\/(admin|console)\//.test(route.path) && hasBody(route));
  expect(strict.map(({ id }) => id).filter((id) => id !== 'data.query')).toEqual(admin.map(({ id }) => id));
  // A query over records is a language of its own.
  expect(strict.map(({ id }) => id)).toContain('data.query');
});

test('no schema has the name of a type that generated clients use for bytes', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => ['File', 'Blob'].includes(name))).toEqual([]);
});

test('responses and webhooks may get new fields', () => {
  const { schemas } = document.components;
  const closed = (part: unknown) => JSON.stringify(part).includes('"additionalProperties":false');
  const responses = operations.map(({ route }) => documented(route).responses);
  expect([responses, document.webhooks, document.components.responses].map(closed)).toEqual(
    Array(3).fill(false),
  );
  // `ImportUser` is only part of a request.
  expect(Object.keys(schemas).filter((name) => closed(schemas[name]))).toEqual(['ImportUser']);
});

test('a condition of a query needs its value, which may be anything', () => {
  const { requestBody } = documented({ method: 'POST', path: '/data/:collection/query' });
  expect(requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { where: { items: { required: ['field', 'op', 'value'] } } },
  });
});

test('every next_cursor has the maximum length of the input that takes it', () => {
  const lists = operations.filter(({ route }) =>
    keysOf(dataOf(route.responses['200'] as z.ZodType)).includes('next_cursor'),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { id, route } of lists) {
    const { parameters, responses } = documented(route);
    const isQuery = id === 'data.query';
    const maxLength = isQuery ? limits.maxQueryCursorCharacters : limits.maxCursorCharacters;
    const input = isQuery ? 'startAfter' : 'cursor';
    expect(responses['200']?.content?.['application/json']?.schema, id).toMatchObject({
      properties: {
        data: {
          properties: { next_cursor: { maxLength, description: expect.stringContaining(`\`${input}\``) } },
        },
      },
    });
    if (!isQuery) {
      expect(parameters, id).toContainEqual(
        expect.objectContaining({ name: input, schema: expect.objectContaining({ maxLength }) }),
      );
    }
  }
});

test('a parameter of the remote config needs its value, and a stored one has all its fields', () => {
  const { requestBody } = documented({ method: 'PUT', path: '/admin/config' });
  expect(requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { parameters: { additionalProperties: { required: ['type', 'value'] } } },
  });
  expect(document.components.schemas.RemoteConfig).toMatchObject({
    properties: { parameters: { additionalProperties: { required: ['type', 'value', 'description'] } } },
  });
});

test('a call that returns 428 without If-Match requires it', () => {
  const requiring = operations.flatMap(({ id, route }) =>
    (documented(route).parameters ?? []).some(({ name, required }) => name === 'If-Match' && required)
      ? [id]
      : [],
  );
  expect(requiring).toEqual(
    operations.filter(({ route }) => '428' in documented(route).responses).map(({ id }) => id),
  );
});

test('a call that creates what does not exist says so for each of its successes', () => {
  for (const { route } of operations) {
    const { 200: existed, 201: created } = documented(route).responses;
    if (!existed || !created) continue;
    expect(existed.description).toMatch(/^Existed already\. /);
    expect(created.description).toMatch(/^Created\. /);
  }
});

test('an optional field takes null exactly where its schema lists it, in every request', () => {
  const bodies = operations.flatMap(({ id, route }) => {
    const body = bodyOf(route);
    const content = documented(route).requestBody?.content[bodyTypeOf(route)];
    return body && content ? [{ id, body, schema: content.schema as Shape }] : [];
  });
  const fields = bodies.flatMap(({ id, body, schema }) =>
    optionalFields(schema).map(({ path, takesNull }) => ({
      field: `${id} ${path.join('.')}`,
      takesNull,
      issues: body.safeParse(valueAt(path, null)).error?.issues ?? [],
      path: path.join('.'),
    })),
  );
  expect(fields.length).toBeGreaterThan(90);
  const refused = fields.filter(({ issues, path }) => issues.some((issue) => issue.path.join('.') === path));
  expect(refused.map(({ field }) => field)).toEqual(
    fields.filter(({ takesNull }) => !takesNull).map(({ field }) => field),
  );
});

test('an upload is a form with a file in it, as generators of clients know it', () => {
  const { requestBody } = documented({ method: 'POST', path: '/files' });
  expect(Object.keys(requestBody?.content ?? {})).toEqual(['multipart/form-data']);
  expect(requestBody?.content['multipart/form-data']?.schema).toMatchObject({
    type: 'object',
    properties: { file: { type: 'string', format: 'binary' }, visibility: { enum: ['private', 'public'] } },
    required: ['file'],
  });
});

test('the bytes of a file are bytes, whole or in part, or elsewhere', () => {
  const read = { method: 'GET', path: '/apps/:app_id/files/:id/content' };
  const { responses } = documented(read);
  for (const status of ['200', '206']) {
    expect(Object.keys(responses[status]?.content ?? {})).toEqual(['application/octet-stream', '*/*']);
  }
  for (const status of ['302', '304']) expect(responses[status]?.content).toBeUndefined();
  const headers = (status: string) => Object.keys(responses[status]?.headers ?? {});
  expect(headers('200')).toEqual(expect.arrayContaining(['ETag', 'Content-Disposition', 'Accept-Ranges']));
  expect(headers('206')).toEqual(expect.arrayContaining([...headers('200'), 'Content-Range']));
  expect(headers('302')).toContain('Location');
  const { headers: unsatisfiable } = answerOf(documented(read), '416');
  expect(Object.keys(unsatisfiable)).toContain('Content-Range');
});

test('what the service sends is among the webhooks, with a body that its own schema accepts', () => {
  const { event } = document.webhooks;
  expect(event?.post?.tags).toEqual(['webhooks']);
  expect((event?.post?.parameters ?? []).map(({ name }) => name)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  const { example } = event?.post?.requestBody?.content['application/json'] ?? {};
  expect(WebhookPayload.safeParse(example).error).toBeUndefined();
});

type Shape = { type?: string | string[]; required?: string[]; properties?: Record<string, Shape> };

/** The optional fields of a body, also inside its objects. */
function optionalFields(
  { properties = {}, required = [] }: Shape,
  inside: string[] = [],
): { path: string[]; takesNull: boolean }[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const path = [...inside, key];
    const own = required.includes(key) ? [] : [{ path, takesNull: [field.type].flat().includes('null') }];
    return [...own, ...optionalFields(field, path)];
  });
}

function valueAt(path: string[], value: unknown): unknown {
  return path.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
}
