// Examples of whole bodies, composed of the examples of their fields.
import type { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';

export type Document = ReturnType<OpenApiGeneratorV31['generateDocument']>;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = {
  $ref?: string;
  example?: Json;
  enum?: Json[];
  default?: Json;
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type MediaType = { schema?: Schema; example?: Json; examples?: unknown };
type Body = { content?: Record<string, MediaType> };
type Parameter = { schema?: Schema; example?: Json };
type Operation = { parameters?: Parameter[]; requestBody?: Body; responses?: Record<string, Body> };

/** Adds an example to every body of the document without one, and repeats those of parameters where tools look for them. Throws if a field has no example. */
export function addExamples(document: Document): void {
  for (const [path, methods] of Object.entries({ ...document.paths, ...document.webhooks })) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.schema?.example !== undefined) parameter.example ??= parameter.schema.example;
      }
      const bodies = [operation.requestBody, ...Object.values(operation.responses ?? {})];
      for (const mediaType of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
        if (!mediaType.schema || 'examples' in mediaType || 'example' in mediaType) continue;
        mediaType.example = exampleOf(mediaType.schema, document, `${method} ${path}`);
      }
    }
  }
}

function exampleOf(schema: Schema, document: Document, where: string): Json {
  if (schema.$ref) return exampleOf(resolve(schema.$ref, document), document, where);
  if (schema.example !== undefined) return schema.example;
  if (schema.format === 'binary') return '(bytes)';
  if (schema.enum) return schema.enum[0] ?? null;
  if (schema.default !== undefined) return schema.default;
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(
      entries.map(([key, value]) => [key, exampleOf(value, document, `${where} ${key}`)]),
    );
  }
  if (schema.items) return [exampleOf(schema.items, document, `${where}[]`)];
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice) return exampleOf(choice, document, where);
  throw new Error(`no example can be made for ${where}: give the field one in the contract`);
}

function resolve(reference: string, document: Document): Schema {
  const name = reference.replace('#/components/schemas/', '');
  return document.components?.schemas?.[name] as Schema;
}
