// Unions as one object with the fields of all: generators in many languages lose or refuse `anyOf` and `oneOf`.
import { everySchema, type Schema } from './schema.js';

/**
 * Replaces each union inside the schema; `find` resolves the references of its choices. Of an input that takes several types
 * the first is kept, since generated clients send null for an absent value of any type.
 */
export function flattenUnions(
  root: Schema,
  side: 'input' | 'answer',
  find: (reference: string) => Schema,
): void {
  for (const schema of everySchema(root)) {
    const choices = schema.anyOf ?? schema.oneOf;
    if (!choices) continue;
    const described = schema.description;
    const resolved = choices.map((choice) => (choice.$ref ? find(choice.$ref) : choice));
    const merged = side === 'input' && typesOf(resolved).size > 1 ? (resolved[0] as Schema) : merge(resolved);
    if (merged === resolved[0]) delete schema.example;
    delete schema.anyOf;
    delete schema.oneOf;
    delete schema.discriminator;
    Object.assign(schema, merged, described === undefined ? {} : { description: described });
  }
}

/** Any value if the choices are of several types; otherwise one schema that every choice fits. */
function merge(choices: Schema[]): Schema {
  const [first = {}, ...others] = choices;
  if (others.every((other) => JSON.stringify(other) === JSON.stringify(first))) return structuredClone(first);
  const types = typesOf(choices);
  const isNullable = types.delete('null');
  const [type = 'any'] = types;
  const { description } = choices.find((choice) => choice.description) ?? {};
  const shared = description === undefined ? {} : { description };
  if (types.size !== 1 || type === 'any') return shared;
  if (type !== 'object')
    return { type: isNullable ? [type, 'null'] : type, ...knownValues(choices), ...shared };
  const keys = new Set(choices.flatMap(({ properties = {} }) => Object.keys(properties)));
  const required = [...keys].filter((key) => choices.every((choice) => choice.required?.includes(key)));
  return {
    type: isNullable ? ['object', 'null'] : 'object',
    properties: Object.fromEntries(
      [...keys].map((key) => [
        key,
        merge(choices.flatMap(({ properties = {} }): Schema[] => (properties[key] ? [properties[key]] : []))),
      ]),
    ),
    ...(required.length > 0 && { required }),
    ...shared,
  };
}

/** The values of all, if every choice lists its own. */
function knownValues(choices: Schema[]): Schema {
  const values = choices.map((choice) => choice.enum);
  return values.every((each) => each !== undefined) ? { enum: [...new Set(values.flat())] } : {};
}

function typesOf(choices: Schema[]): Set<string> {
  return new Set(choices.flatMap(({ type }) => type ?? 'any'));
}
