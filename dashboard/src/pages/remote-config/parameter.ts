// A parameter as it is edited: its value is text, so that what is not valid yet can be stored too.
import type { ConfigParameter } from '@foyer/contract';
import { capitalized } from '../../components/capitalized.ts';
import { describeFault, jsonFault } from '../../components/json-fault.ts';
import { configNumberFault } from '../../components/number-faults.ts';
import { configLimits } from './limits.ts';

export type Parameters = Record<string, ConfigParameter>;
export type ParameterType = ConfigParameter['type'];
export type NamedParameter = { name: string } & ConfigParameter;
export type EditedParameter = { name: string; type: ParameterType; text: string; description: string };

/** The levels are those that a request body has left below `parameters.<name>.value`. */
export const jsonRules = { maxLevels: 90, numberFault: configNumberFault };

export const typeNames: Record<ParameterType, string> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  json: 'JSON',
};

export function editedOf({ name, type, value, description }: NamedParameter): EditedParameter {
  return { name, type, text: textOf(type, value), description };
}

export function textOf(type: ParameterType, value: unknown): string {
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** The text of an earlier type as a text of the new one. */
export function convertedText(text: string, to: ParameterType): string {
  if (to === 'boolean') return text === 'true' ? 'true' : 'false';
  if (to === 'json' && text === '') return '{}';
  return text;
}

/** Null if the text is a value of the type. */
export function valueFault({ type, text }: Pick<EditedParameter, 'type' | 'text'>): string | null {
  switch (type) {
    case 'string':
      return null;
    case 'boolean':
      return text === 'true' || text === 'false' ? null : 'Choose true or false.';
    case 'number':
      return numberFault(text.trim());
    case 'json': {
      const fault = jsonFault(text, jsonRules);
      if (fault) return describeFault(text, fault);
      return /^\s*[{[]/.test(text)
        ? null
        : 'Enter an object or an array; other values have a type of their own.';
    }
  }
}

function numberFault(text: string): string | null {
  if (!/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return 'Enter a number, such as 12 or 0.5.';
  const inexact = configNumberFault(text);
  return inexact && capitalized(inexact);
}

/** The parameter must have no fault. */
export function parameterOf({ type, text, description }: EditedParameter): ConfigParameter {
  return { type, value: typedValue(type, text), description };
}

function typedValue(type: ParameterType, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'number') return Number(text.trim());
  return type === 'boolean' ? text === 'true' : JSON.parse(text);
}

export function isSameParameter(left: ConfigParameter, right: ConfigParameter): boolean {
  return (
    left.type === right.type &&
    left.description === right.description &&
    JSON.stringify(left.value) === JSON.stringify(right.value)
  );
}

const namePattern = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${configLimits.nameCharacters - 1}}$`);

export function nameFault(name: string): string | null {
  if (name === '') return 'Enter a name.';
  if (name === '__proto__') return 'This name cannot be used.';
  return namePattern.test(name)
    ? null
    : `Names begin with a letter or _, then have letters, digits and _, at most ${configLimits.nameCharacters} in all.`;
}

const sizes = new WeakMap<ConfigParameter, number>();

/** The characters that count towards the limit, without the name. */
export function sizeOf(parameter: ConfigParameter): number {
  const known = sizes.get(parameter);
  if (known !== undefined) return known;
  const { type, value, description } = parameter;
  const size =
    charactersOf(type === 'json' ? JSON.stringify(value) : String(value)) + charactersOf(description);
  sizes.set(parameter, size);
  return size;
}

/** Code points, as the service counts. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) pairs += 1;
  return text.length - pairs;
}
