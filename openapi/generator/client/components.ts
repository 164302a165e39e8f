// Named components for every body, envelope, page and object inside them, so that generated types have names.
import { answerNames, innerNames, requestNames } from './names.js';
import {
  type Answer,
  type Body,
  type ClientDocument,
  nameIn,
  type Operation,
  operationsIn,
  pascalCase,
  refTo,
  type Schema,
  successesIn,
} from './schema.js';

export function nameComponents(document: ClientDocument): void {
  const components = componentsOf(document.components.schemas);
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    components.nameInside(schema, name);
  }
  const failure = document.components.responses.Error?.content?.['application/json'];
  if (failure) failure.schema = components.named(failure.schema, 'ErrorEnvelope');
  for (const operation of operationsIn(document)) {
    if (operation.requestBody) nameBody(operation.requestBody, nameOfRequest(operation), components);
    for (const [, answer] of successesIn(operation)) nameAnswer(answer, operation, components);
  }
}

type Components = ReturnType<typeof componentsOf>;

function nameBody(body: Body, name: string, components: Components): void {
  for (const mediaType of Object.values(body.content ?? {})) {
    mediaType.schema = components.named(mediaType.schema, name);
  }
}

function nameAnswer({ content = {} }: Answer, operation: Operation, components: Components): void {
  const json = content['application/json'];
  if (!json) return;
  const { data } = json.schema.properties ?? {};
  if (!data) {
    json.schema = components.named(json.schema, nameOfAnswer(operation));
    return;
  }
  const item = data.properties?.items?.items;
  const name =
    nameIn(data) ??
    (item ? `${nameIn(item)}${data.properties?.next_cursor ? 'Page' : 'List'}` : nameOfAnswer(operation));
  const inner = data.$ref ? data : components.named(data, name);
  json.schema = components.named({ ...json.schema, properties: { data: inner } }, `${name}Envelope`);
}

function nameOfRequest(operation: Operation): string {
  return given(requestNames[operation['x-operation']], operation);
}

function nameOfAnswer(operation: Operation): string {
  return given(answerNames[operation['x-operation']], operation);
}

function given(name: string | undefined, operation: Operation): string {
  if (name === undefined)
    throw new Error(`give the schema of ${operation['x-operation']} a name in client/names.ts`);
  return name;
}

function componentsOf(schemas: Record<string, Schema>) {
  const byForm = new Map(Object.entries(schemas).map(([name, schema]) => [formOf(schema), name]));

  /** A reference to the component with this form: one that exists, or a new one with this name. */
  function named(schema: Schema, name: string): Schema {
    const form = formOf(schema);
    const existing = byForm.get(form);
    if (existing !== undefined) return refTo(existing);
    if (schemas[name]) throw new Error(`two schemas would have the name ${name}`);
    schemas[name] = schema;
    byForm.set(form, name);
    nameInside(schema, name);
    return refTo(name);
  }

  function nameInside(schema: Schema, name: string): void {
    for (const [key, inner] of Object.entries(schema.properties ?? {})) {
      const innerName = `${name}${pascalCase(key)}`;
      if (isObject(inner)) Object.assign(schema.properties as object, { [key]: nullable(inner, innerName) });
      else nameInner(inner, innerName);
    }
    if (!schema.properties) nameInner(schema, name);
  }

  function nameInner(schema: Schema, name: string): void {
    const { items, additionalProperties } = schema;
    if (items && isObject(items)) schema.items = nullable(items, name);
    else if (items) nameInner(items, name);
    if (typeof additionalProperties === 'object') {
      if (isObject(additionalProperties))
        schema.additionalProperties = nullable(additionalProperties, `${name}Value`);
      else nameInner(additionalProperties, name);
    }
  }

  function nullable(schema: Schema, name: string): Schema {
    const isNullable = [schema.type].flat().includes('null');
    const { example, ...form } = schema;
    // The example null is one of the property, not of the object.
    const object = { ...form, type: 'object', ...(example !== null && { example }) };
    const reference = named(isNullable ? object : schema, innerNames[name] ?? name);
    if (!isNullable) return reference;
    const { description } = schema;
    return { oneOf: [reference, { type: 'null' }], ...(description !== undefined && { description }) };
  }

  return { named, nameInside };
}

function isObject({ properties }: Schema): boolean {
  return properties !== undefined;
}

/** What a value must be, without the words about it. */
function formOf(schema: Schema): string {
  return JSON.stringify(schema, (key, value) =>
    ['description', 'example', 'default'].includes(key) && typeof value !== 'object' ? undefined : value,
  );
}
