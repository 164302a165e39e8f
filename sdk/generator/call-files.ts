// The text of `admin-calls.ts` and `console-calls.ts`: an interface for each namespace of a typed client, and the table that
// `src/admin/typed-client.ts` makes its methods from.
import { type Call, namespaceTexts, type Part } from './calls.js';
import { comment, type NameOf, typeOf } from './typescript.js';

/** The interfaces, and the table. `prefix` begins the name of each interface. */
export function callsText(calls: Call[], prefix: string, nameOf: NameOf): string {
  const namespaces = [...new Set(calls.map(({ namespace }) => namespace))];
  const groups = namespaces.map(
    (name) => [name, calls.filter(({ namespace }) => namespace === name)] as const,
  );
  const interfaces = groups.map(([namespace, members]) => {
    const methods = members.map((call) => `${docOf(call)}${signatureOf(call, nameOf)}`);
    return `export interface ${interfaceName(prefix, namespace)} {\n${methods.join('')}}\n`;
  });
  const table = groups.map(([namespace, members]) => {
    const specs = members.map((call) => `${call.method}: ${specOf(call)},\n`);
    return `${namespace}: {\n${specs.join('')}},\n`;
  });
  const name = `${prefix.toLowerCase()}Calls`;
  const members = namespaces.map((namespace) => {
    const text = namespaceTexts[namespace] ?? `The endpoints of the group \`${namespace}\`.`;
    return `${comment(text)}readonly ${namespace}: ${interfaceName(prefix, namespace)};\n`;
  });
  interfaces.push(`/** The namespaces. */\nexport interface ${prefix}Calls {\n${members.join('')}}\n`);
  return `${interfaces.join('\n')}\nexport const ${name} = {\n${table.join('')}} as const satisfies CallTable;\n`;
}

function signatureOf(call: Call, nameOf: NameOf): string {
  const { method, params, input, options, answer, pages, etag } = call;
  const written = (part: Part) => {
    const type = typeOf(part.schema, nameOf);
    return part.schema.type === 'array' ? `readonly ${type}` : type;
  };
  const ownOptions = options.map(
    (part) =>
      `${comment(part.schema.description)}${part.name}${part.isRequired ? '' : '?'}: ${written(part)}${part.isRequired ? '' : ' | undefined'};\n`,
  );
  const type = [optionTypeOf(call), ...(options.length > 0 ? [`{\n${ownOptions.join('')}}`] : [])].join(
    ' & ',
  );
  const required = options.some(({ isRequired }) => isRequired);
  const given = [
    ...params.map((part) => `${part.name}: ${written(part)}`),
    ...(input ? [`${input.name}${input.isRequired ? '' : '?'}: ${written(input)}`] : []),
    `options${required ? '' : '?'}: ${type}`,
  ];
  const data = answer ? typeOf(answer, nameOf) : 'void';
  const result = pages ? `PageList<${data}>` : `Promise<${etag ? `Tagged<${data}>` : data}>`;
  return `${method}(${given.join(', ')}): ${result};\n`;
}

/** Where a lost response leaves open whether the change took effect, a call is not repeated. */
function optionTypeOf({ route, once, options }: Call): string {
  if (once) return 'OnceOptions';
  const isConditional = options.some(({ name, isRequired }) => name === 'ifMatch' && isRequired);
  return /^PATCH/.test(route) || isConditional ? 'CallOptions' : 'RepeatableCallOptions';
}

function docOf({ summary, description = '', example }: Call): string {
  // What follows the first paragraph is for the reference of the API, and so are the scopes.
  const sentences = (description.split('\n')[0] ?? '').split(/(?<=[.)]) (?=[A-Z`])/);
  const text = [`${summary}.`, ...sentences.filter((sentence) => sentence && !/scope/.test(sentence))];
  let length = 0;
  const short = text.filter((sentence) => {
    length += sentence.length;
    return length <= maxDocCharacters;
  });
  const lines = example ? `\n\n@example\n${example.join('\n')}` : '';
  return comment(short.join(' '), lines);
}

const maxDocCharacters = 400;

function specOf({ route, input, options, pages, etag, once, safe }: Call): string {
  const spec = {
    route,
    ...(input && !pages && { input: input.place }),
    ...(options.length > 0 && {
      options: Object.fromEntries(options.map(({ name, place }) => [name, place])),
    }),
    ...(pages && { pages }),
    ...(etag && { etag }),
    ...(once && { once }),
    ...(safe && { safe }),
  };
  return JSON.stringify(spec);
}

/** The interface of a namespace: `AdminUsers`; that of `console` is `Console`. */
export function interfaceName(prefix: string, namespace: string): string {
  const name = capitalized(namespace);
  return name === prefix ? name : prefix + name;
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
