// What the OpenAPI document describes of each answer: statuses, content types and bodies.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Came } from '../../test/bad-input.js';

export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  maxLength?: number;
  minLength?: number;
  maximum?: number;
  minimum?: number;
  maxItems?: number;
  example?: unknown;
};
type Response = { $ref?: string; content?: Record<string, { schema?: Schema }> };
export type Operation = {
  operationId: string;
  'x-operation'?: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Response>;
};

const document = JSON.parse(readFileSync(new URL('../../../openapi/v2.json', import.meta.url), 'utf8'));

/** The operations by the name of the route in the contract. */
export const operations: Map<string, Operation> = new Map(
  Object.values(document.paths as Record<string, Record<string, Operation>>)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => (operation['x-operation'] ? [[operation['x-operation'], operation]] : [])),
);

/** The part of the document that a reference names. */
export function resolved<T extends { $ref?: string }>(part: T): T {
  if (!part.$ref) return part;
  const keys = part.$ref.slice(2).split('/');
  return resolved(keys.reduce((at, key) => at[key], document));
}

// Every time that the service answers is in UTC with microseconds. The other formats are annotations.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
    ...Object.fromEntries(
      ['binary', 'date', 'double', 'email', 'int32', 'int64', 'password'].map((format) => [format, true]),
    ),
  },
});
ajv.addSchema(document, 'document');
const validators = new Map<Schema, ValidateFunction>();

/** Why the document does not describe the answer; null if it does. */
export function undescribed({ operationId, responses }: Operation, came: Came): string | null {
  const response = responses[came.status];
  if (!response) return `${operationId} does not document the status ${came.status}`;
  const { content } = resolved(response);
  if (!content) return came.text === '' ? null : `${operationId} documents no body with ${came.status}`;
  // The bytes of a file have the type that was stored with them.
  if (content['*/*']) return null;
  const type = came.headers.get('content-type')?.split(';')[0] ?? 'none';
  const schema = content[type]?.schema;
  if (!schema) return `${operationId} does not document the content type ${type} with ${came.status}`;
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(absolute(schema) as object);
    validators.set(schema, validate);
  }
  if (validate(JSON.parse(came.text))) return null;
  return `${operationId} answered ${came.status} in another form: ${ajv.errorsText(validate.errors).slice(0, 500)}`;
}

/** The schema with references that name the document. */
function absolute(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(absolute);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `document${value}` : absolute(value),
    ]),
  );
}
