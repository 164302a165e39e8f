// The part of JSON Schema that the documents use, and a walk over the schemas inside a schema.
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  [key: string]: unknown;
};

export type MediaType = { schema: Schema; example?: unknown; examples?: unknown };
export type Body = { description?: string; required?: boolean; content?: Record<string, MediaType> };
export type Answer = Body & { $ref?: string; headers?: Record<string, Schema> };
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema; example?: unknown };
export type Operation = {
  operationId: string;
  'x-operation': string;
  description: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answer>;
  [key: string]: unknown;
};
export type Components = {
  schemas: Record<string, Schema>;
  responses: Record<string, Answer>;
  headers: Record<string, { schema: Schema }>;
  [key: string]: unknown;
};
export type ClientDocument = {
  openapi: string;
  info: { title: string; version: string; description?: string; license?: object };
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: Components;
  [key: string]: unknown;
};

const inSchemas = '#/components/schemas/';

export function refTo(name: string): Schema {
  return { $ref: `${inSchemas}${name}` };
}

export function nameIn({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(inSchemas) ? $ref.slice(inSchemas.length) : undefined;
}

/** The schemas directly inside a schema. */
export function innerSchemas(schema: Schema): Schema[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...anyOf,
    ...oneOf,
    ...allOf,
  ];
}

/** The schema and every schema inside it, without those that it refers to. */
export function* everySchema(schema: Schema): Generator<Schema> {
  yield schema;
  for (const inner of innerSchemas(schema)) yield* everySchema(inner);
}

export function operationsIn(document: ClientDocument): Operation[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

export function successesIn({ responses }: Operation): [status: string, answer: Answer][] {
  return Object.entries(responses).filter(([status]) => Number(status) < 400);
}

/** `next_tier` → `NextTier` */
export function pascalCase(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, start: string) => start.toUpperCase());
}
