// What `foyer help` prints: the commands, then the scopes of secret keys and the settings of apps as the contract has them.
import { AppSettingsPatch, secretKeyScopes } from '@foyer/contract';
import * as z from 'zod';
import { usage } from './usage.js';

type Schema = {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema;
  anyOf?: Schema[];
};

const columns = 38;
const width = 110;

export function help(): string {
  const schema = z.toJSONSchema(AppSettingsPatch, { io: 'input', unrepresentable: 'any' }) as Schema;
  return `${usage}
Scopes of a secret key (foyer keys create --scopes):

${wrapped(secretKeyScopes)}

Settings of an app (foyer apps set), as <name>=<value>; null clears where it is named, and @file reads the value from a file:

${settingsOf(schema, '').join('\n')}

What each means is in the API documentation: /docs of a running service, "Change the app's settings".
`;
}

/** A line for each setting, or two where its name is as long as the column. */
export function settingsOf(schema: Schema, name: string): string[] {
  const { anyOf = [] } = schema;
  const nullable = anyOf.some(({ type }) => type === 'null');
  const own = anyOf.find(({ type }) => type !== 'null') ?? schema;
  const below = (key: string) => (name === '' ? key : `${name}.${key}`);
  if (own.properties) {
    return Object.entries(own.properties).flatMap(([key, inner]) => settingsOf(inner, below(key)));
  }
  if (own.type === 'object' && typeof own.additionalProperties === 'object') {
    const keys = own.propertyNames?.enum?.join('|') ?? 'language';
    return settingsOf(own.additionalProperties, below(`<${keys}>`));
  }
  const line = `  ${name}`;
  const form = `${formOf(own)}${nullable ? ', or null' : ''}`;
  return line.length < columns ? [line.padEnd(columns) + form] : [line, ' '.repeat(columns) + form];
}

function formOf({ type, enum: choices, minimum, maximum }: Schema): string {
  if (choices) return choices.join(' or ');
  if (type === 'boolean') return 'true or false';
  if (type === 'integer' || type === 'number') return `${minimum} to ${maximum}`;
  return type === 'array' ? 'a list, as JSON' : 'text';
}

export function wrapped(words: readonly string[]): string {
  const lines = [' '];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > width) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines.join('\n');
}
