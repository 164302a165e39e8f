// JSON Schemas as TypeScript declarations, with the schemas' descriptions as comments.

/** The part of JSON Schema that the contract's schemas use. */
export type Schema = {
  type?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  items?: Schema;
};

/** The name of the exported type with this shape, if there is one. */
export type NameOf = (shape: string) => string | undefined;

const commentColumns = 96;

/** The exported declaration of a named schema. Nested schemas that have a name are written as that name. */
export function declarationOf(name: string, schema: Schema, nameOf: NameOf): string {
  const { description } = schema;
  if (!description) throw new Error(`${name} has no description`);
  const keywords = schema.properties ? `interface ${name}` : `type ${name} =`;
  return `${comment(description)}export ${keywords} ${written(schema, nameOf)}\n`;
}

/** The type without names and comments: schemas of the same shape have the same type. */
export function shapeOf(schema: Schema): string {
  return written(schema);
}

export function typeOf(schema: Schema, nameOf?: NameOf): string {
  return nameOf?.(shapeOf(schema)) ?? written(schema, nameOf);
}

function written(schema: Schema, nameOf?: NameOf): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return unionOf(options, nameOf);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.properties) return membersOf(schema, nameOf);
  switch (schema.type) {
    case 'object':
      return recordOf(schema, nameOf);
    case 'array':
      return `(${typeOf(schema.items ?? {}, nameOf)})[]`;
    case 'integer':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

function unionOf(options: Schema[], nameOf?: NameOf): string {
  const types = options.map((option) => typeOf(option, nameOf));
  if (!nameOf || options.some(({ const: value }) => value === undefined)) return types.join(' | ');
  return types.map((type, place) => `\n${comment(options[place]?.description)}| ${type}`).join('');
}

function membersOf({ properties = {}, required = [] }: Schema, nameOf?: NameOf): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, nameOf);
    const member = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${nameOf ? comment(describe(schema)) : ''}${member};\n`;
  });
  return `{\n${members.join('')}}`;
}

function recordOf({ propertyNames, additionalProperties }: Schema, nameOf?: NameOf): string {
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, nameOf) : 'unknown';
  if (!propertyNames?.enum) return `Record<string, ${value}>`;
  return `{ [Name in ${typeOf(propertyNames, nameOf)}]?: ${value} }`;
}

/** The description of a property with its default. */
function describe({ description, default: assumed, anyOf }: Schema): string | undefined {
  const text = description ?? anyOf?.find((option) => option.description)?.description;
  const isWorthTelling = ['string', 'number', 'boolean'].includes(typeof assumed) && assumed !== '';
  return isWorthTelling ? `${text ?? ''} Default: \`${assumed}\`.`.trim() : text;
}

/** A documentation comment; `lines` follow the text as they are. */
export function comment(text?: string, lines = ''): string {
  if (!text) return '';
  const wrapped: string[] = [];
  for (const word of text.replaceAll('*/', '*\\/').split(/\s+/)) {
    const line = wrapped.at(-1);
    if (line !== undefined && line.length + word.length < commentColumns)
      wrapped.push(`${wrapped.pop()} ${word}`);
    else wrapped.push(word);
  }
  const all = [...wrapped, ...lines.split('\n').slice(1)];
  return all.length === 1
    ? `/** ${all[0]} */\n`
    : `/**\n${all.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
