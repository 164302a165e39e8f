// The operations as one page of Markdown, for people and programs that read no OpenAPI: made from the generated document, with
// `{base_url}` where it has it.
import type { ClientDocument, Components, Operation, Parameter, Schema } from './client/schema.js';

type Tag = { name: string; 'x-displayName': string; description: string };
type Whole = ClientDocument & {
  tags: Tag[];
  'x-tagGroups': { name: string; tags: string[] }[];
  components: Components;
};

/** How deep the fields of objects are listed; the example shows the rest. */
const deepest = 3;

const credentialNames: Record<string, string> = {
  appKey: 'app key (`X-App-Key`)',
  accessToken: 'access token (`Authorization: Bearer`)',
  secretKeyAuth: 'secret key (`Authorization: Bearer`)',
  memberToken: 'access token of a team member (`Authorization: Bearer`)',
};

export function operationsPage(document: object): string {
  const whole = document as Whole;
  const { title, version, description = '' } = whole.info;
  const groups = whole['x-tagGroups'].map(({ name, tags }) => [name, tags.map((tag) => tagOf(whole, tag))]);
  const sections = (groups as [string, Tag[]][]).flatMap(([name, tags]) => [
    `# ${name}`,
    ...tags.flatMap((tag) => [`## ${tag['x-displayName']}`, tag.description, ...operationsOf(whole, tag)]),
  ]);
  return `${[`# ${title} ${version}`, 'The base URL is `{base_url}`. Paths below are relative to it.', description, ...sections].join('\n\n')}\n`;
}

function tagOf({ tags }: Whole, name: string): Tag {
  const tag = tags.find((each) => each.name === name);
  if (!tag) throw new Error(`The document has no tag ${name}`);
  return tag;
}

function operationsOf(whole: Whole, tag: Tag): string[] {
  return Object.entries(whole.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => (tags as string[]).includes(tag.name))
      .map(([method, operation]) => operationText(whole, `${method.toUpperCase()} ${path}`, operation)),
  );
}

function operationText(whole: Whole, name: string, operation: Operation): string {
  const { parameters = [], requestBody, description } = operation;
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return [
    `### ${name}`,
    `${operation.summary}. \`${operation.operationId}\``,
    description,
    `Credentials: ${credentialsOf(operation)}.`,
    parameters.length > 0 && list('Parameters', parameters.map(parameterLine)),
    body && list(`Body, \`${bodyType}\``, fieldLines(whole, body.schema)),
    ...answersOf(whole, operation),
    curlOf(operation),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function credentialsOf(operation: Operation): string {
  const ways = (operation.security ?? []) as Record<string, unknown>[];
  const names = ways.map((way) => Object.keys(way).map((name) => credentialNames[name] ?? name));
  return names.map((way) => way.join(' and ')).join('; or ') || 'none';
}

function list(title: string, lines: string[]): string {
  return `${title}:\n\n${lines.length > 0 ? lines.join('\n') : '- any JSON'}`;
}

function parameterLine({ name, in: place, required, schema }: Parameter): string {
  return line(`\`${name}\``, [place, typeOf(schema), required && 'required'], schema.description);
}

/** The fields of an object, those of inner objects by their path. */
function fieldLines(whole: Whole, schema: Schema, above = '', depth = 1): string[] {
  const { properties = {}, required = [], items } = resolved(whole, schema);
  if (items) return fieldLines(whole, items, `${above}[].`, depth);
  return Object.entries(properties).flatMap(([name, written]) => {
    const field = resolved(whole, written);
    const facts = [typeOf(field), required.includes(name) && 'required'];
    const own = line(`\`${above}${name}\``, facts, field.description);
    const inner = field.items ? resolved(whole, field.items) : field;
    if (depth === deepest || !inner.properties) return [own];
    return [own, ...fieldLines(whole, inner, `${above}${name}${field.items ? '[]' : ''}.`, depth + 1)];
  });
}

function line(name: string, facts: (string | false | undefined)[], description = ''): string {
  const text = description.replace(/\s*\n\s*/g, ' ');
  return `- ${name} (${facts.filter(Boolean).join(', ')})${text && `: ${text}`}`;
}

/** Only successes: the errors are in the description and in the introduction. */
function answersOf(whole: Whole, { responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status < '400')
    .flatMap(([status, { description = '', content = {} }]) => {
      const [type, media] = Object.entries(content)[0] ?? [];
      const schema = media && resolved(whole, media.schema);
      const fields = schema ? fieldLines(whole, schema.properties?.data ?? schema) : [];
      const text = `${status}${type && type !== 'application/json' ? `, \`${type}\`` : ''}: ${description}`;
      if (fields.length > 0) return [`${text}\n\n${fields.join('\n')}`];
      if (media?.example === undefined) return [text];
      return [text, `\`\`\`json\n${JSON.stringify(media.example, null, 2)}\n\`\`\``];
    });
}

function curlOf(operation: Operation): string {
  const samples = operation['x-codeSamples'] as { label: string; source: string }[];
  const curl = samples.find(({ label }) => label === 'curl');
  return curl ? `\`\`\`sh\n${curl.source}\n\`\`\`` : '';
}

function resolved(whole: Whole, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const name = schema.$ref.split('/').at(-1) as string;
  return {
    ...(whole.components.schemas[name] as Schema),
    ...(schema.description && { description: schema.description }),
  };
}

function typeOf({ $ref, type, enum: values, items, anyOf, oneOf }: Schema): string {
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if ($ref) return $ref.split('/').at(-1) as string;
  if (items) return `list of ${typeOf(items)}`;
  const several = anyOf ?? oneOf;
  if (several) return several.map(typeOf).join(' or ');
  return [type ?? 'any'].flat().join(' or ');
}
