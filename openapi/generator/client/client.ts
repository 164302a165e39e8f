// The document that clients are generated from: the calls of v2.json, in a form that generators of every language make
// good types of. What goes over the wire is the same.
import { errorCodes, limits } from '@foyer/contract';
import type { Document } from '../examples.js';
import { openAnswer } from './answers.js';
import { nameComponents } from './components.js';
import {
  type Answer,
  type Body,
  type ClientDocument,
  type Components,
  everySchema,
  nameIn,
  type Operation,
  operationsIn,
  refTo,
  type Schema,
  successesIn,
} from './schema.js';
import { flattenUnions } from './unions.js';

const introduction =
  'The API of Foyer for generated clients: user accounts and sign-in for mobile and web apps. Start at ' +
  '`POST /auth/sign-up`; every call carries the key of the app in `X-App-Key`, and the calls of a user the access token ' +
  `in \`Authorization\`. An access token lives ${limits.accessTokenSeconds.default / 60} minutes by default, and \`POST ` +
  '/auth/token/refresh` returns the next one. Read the whole documentation at {base_url}/openapi.json, or as a page at ' +
  '`/docs`.';

export function clientDocumentOf(v2: Document): ClientDocument {
  const document = copyOf(v2);
  document.info.description = introduction;
  delete document.webhooks;
  for (const operation of operationsIn(document)) simplify(operation, document);
  document.components.responses = { Error: structuredClone(errorAnswer) };
  document.components.schemas.ApiError = apiError(document.components.schemas.Error as Schema);
  return named(document);
}

/** What the service sends to webhooks, in the same form. */
export function webhooksDocumentOf(v2: Document): ClientDocument {
  const document = copyOf(v2);
  const { securitySchemes: _, ...components } = document.components;
  document.info = {
    ...document.info,
    title: `${document.info.title}: webhooks`,
    description: 'What Foyer sends to the webhooks of an app.',
  };
  delete document.tags;
  for (const operation of Object.values(document.webhooks ?? {}).flatMap((methods) =>
    Object.values(methods),
  )) {
    withoutExamples(operation.requestBody);
  }
  return named({ ...document, paths: {}, components: { ...components, responses: {} } } as ClientDocument);
}

function copyOf(v2: Document): ClientDocument {
  const document = structuredClone(v2) as unknown as ClientDocument;
  delete document['x-tagGroups'];
  return document;
}

function named(document: ClientDocument): ClientDocument {
  const { schemas, headers } = document.components;
  const find = (reference: string) => schemas[nameIn({ $ref: reference }) as string] as Schema;
  for (const schema of requestsIn(document)) flattenUnions(schema, 'input', find);
  for (const schema of [...answersIn(document), ...Object.values(schemas)])
    flattenUnions(schema, 'answer', find);
  dropUnused(document);
  const asked = reachable(requestsIn(document), schemas);
  const answered = reachable(answersIn(document), schemas);
  for (const name of asked) {
    if (answered.has(name))
      throw new Error(`${name} is in requests and answers, and would be open in one of them`);
  }
  for (const name of asked) simplifyInput(schemas[name] as Schema);
  for (const schema of requestsIn(document)) simplifyInput(schema);
  for (const schema of answersIn(document)) openAnswer(schema);
  for (const name of answered) openAnswer(schemas[name] as Schema);
  for (const { schema } of Object.values(headers)) openAnswer(schema);
  nameComponents(document);
  dropUnused(document);
  return document;
}

/** One error for all statuses, with the codes beside it; no samples and examples, which generated files would repeat. */
function simplify(operation: Operation, { components }: ClientDocument): void {
  const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  operation['x-error-codes'] = failures.flatMap(([, answer]) => codesIn(answer, components));
  operation.responses = {
    ...Object.fromEntries(successesIn(operation)),
    default: { $ref: '#/components/responses/Error' },
  };
  delete operation['x-codeSamples'];
  delete operation['x-rate-limit'];
  withoutExamples(operation.requestBody);
  for (const [, answer] of successesIn(operation)) {
    withoutExamples(answer);
    // The bytes of a file: of any type, which generators of clients do not recognise as bytes.
    delete answer.content?.['*/*'];
  }
}

/** A boolean that may only be true: generators write an enumeration with the text `true` in it. */
function simplifyInput(root: Schema): void {
  for (const schema of everySchema(root)) if (schema.type === 'boolean') delete schema.enum;
}

function withoutExamples(body: Body | undefined): void {
  for (const mediaType of Object.values(body?.content ?? {})) {
    delete mediaType.example;
    delete mediaType.examples;
  }
}

function codesIn(answer: Answer, components: Components): string[] {
  const name = answer.$ref?.replace('#/components/responses/', '');
  const { content } = name === undefined ? answer : (components.responses[name] as Answer);
  return content?.['application/json']?.schema.properties?.error?.allOf?.[1]?.properties?.code
    ?.enum as string[];
}

const errorAnswer: Answer = {
  description:
    'The call failed: branch on `error.code`. `x-error-codes` of the operation lists the known codes.',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'Retry-After': { $ref: '#/components/headers/Retry-After' },
  },
  content: {
    'application/json': {
      schema: { type: 'object', properties: { error: refTo('ApiError') }, required: ['error'] },
    },
  },
};

/** `Error` is a name that many languages have taken. */
function apiError(error: Schema): Schema {
  const { code = {}, ...others } = error.properties ?? {};
  return { ...error, properties: { code: { ...code, enum: errorCodes }, ...others } };
}

function rootsIn(document: ClientDocument): Schema[] {
  return [...requestsIn(document), ...answersIn(document)];
}

function requestsIn(document: ClientDocument): Schema[] {
  return operationsIn(document).flatMap(({ requestBody }) => schemasIn(requestBody));
}

/** What the service writes: answers, and the bodies that it sends to webhooks. */
function answersIn({ components, webhooks = {}, ...document }: ClientDocument): Schema[] {
  const answers = operationsIn(document as ClientDocument).flatMap(({ responses }) =>
    Object.values(responses),
  );
  const sent = Object.values(webhooks).flatMap((methods) => Object.values(methods));
  return [
    ...[...answers, ...Object.values(components.responses)].flatMap(schemasIn),
    ...sent.flatMap(({ requestBody }) => schemasIn(requestBody)),
  ];
}

function schemasIn(body: Body | undefined): Schema[] {
  return Object.values(body?.content ?? {}).map(({ schema }) => schema);
}

/** The names of the components that the schemas refer to, directly or through others. */
function reachable(from: Schema[], schemas: Record<string, Schema>): Set<string> {
  const names = new Set<string>();
  const visit = (root: Schema) => {
    for (const schema of everySchema(root)) {
      const name = nameIn(schema);
      if (name === undefined || names.has(name)) continue;
      names.add(name);
      visit(schemas[name] as Schema);
    }
  };
  for (const root of from) visit(root);
  return names;
}

function dropUnused(document: ClientDocument): void {
  const { components } = document;
  const used = reachable(rootsIn(document), components.schemas);
  const sorted = Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  components.schemas = Object.fromEntries(sorted.filter(([name]) => used.has(name)));
  const text = JSON.stringify([document.paths, document.webhooks, components.responses]);
  const headers = Object.entries(components.headers);
  components.headers = Object.fromEntries(
    headers.filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}
