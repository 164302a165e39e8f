// Copies the values of a remote config between apps as JSON.
import type { ConfigParameter } from '@foyer/contract';
import { isObject } from '../../components/form-values.ts';
import { type Change, findParameter, namedParameter } from './draft.ts';
import {
  editedOf,
  isSameParameter,
  jsonRules,
  nameFault,
  type Parameters,
  type ParameterType,
  textOf,
  valueFault,
} from './parameter.ts';

/** The rules of a complete set, which is three levels deeper than its values. */
export const setRules = { ...jsonRules, maxLevels: jsonRules.maxLevels + 3 };

export function exportedText(parameters: Parameters): string {
  return `${JSON.stringify({ parameters }, null, 2)}\n`;
}

export type Import = { parameters: Parameters } | { fault: string };

/**
 * Reads an export, the `parameters` of the admin API, or plain values by name such as `GET /config` returns; the types of
 * plain values are those that JSON gives them, and their descriptions those of `current`. The text is valid JSON.
 */
export function importedParameters(text: string, current: Parameters): Import {
  const parsed: unknown = JSON.parse(text);
  if (!isObject(parsed)) return { fault: 'The JSON must be an object with the parameters by name.' };
  const entries = Object.entries(isObject(parsed.parameters) ? parsed.parameters : parsed);
  if (entries.length === 0) return { fault: 'The JSON has no parameters.' };
  const parameters: [string, ConfigParameter][] = [];
  for (const [name, given] of entries) {
    const description = Object.hasOwn(current, name) ? (current[name]?.description ?? '') : '';
    const parameter = isTyped(given) ? { description, ...given } : plain(given, description);
    const fault = nameFault(name) ?? (parameter ? faultOf(parameter) : 'Null cannot be a value.');
    if (fault || !parameter) return { fault: `${name}: ${fault}` };
    parameters.push([name, parameter]);
  }
  return { parameters: Object.fromEntries(parameters) };
}

/** Takes a complete set of parameters as changes to `current`; what it lacks is removed only if asked. */
export function changesTo(current: Parameters, wanted: Parameters, removeOthers: boolean): Change[] {
  const changed = Object.keys(wanted).flatMap((name): Change[] => {
    const before = findParameter(current, name);
    const after = namedParameter(wanted, name);
    if (before && isSameParameter(before, after)) return [];
    return [{ id: before ? name : `new:${name}`, before, after: editedOf(after) }];
  });
  const removed = Object.keys(current)
    .filter((name) => removeOthers && !Object.hasOwn(wanted, name))
    .map((name) => ({ id: name, before: namedParameter(current, name), after: null }));
  return [...changed, ...removed];
}

function faultOf({ type, value }: ConfigParameter): string | null {
  const matches = type === 'json' ? typeof value === 'object' && value !== null : typeof value === type;
  return matches ? valueFault({ type, text: textOf(type, value) }) : `The value is not of the type ${type}.`;
}

function plain(value: unknown, description: string): ConfigParameter | null {
  if (value === null || value === undefined) return null;
  const type = typeof value === 'object' ? 'json' : (typeof value as ParameterType);
  return { type, value, description };
}

type Typed = { type: ParameterType; value: unknown; description?: string };

function isTyped(given: unknown): given is Typed {
  if (!isObject(given) || !('value' in given)) return false;
  const keys = Object.keys(given).every((key) => ['type', 'value', 'description'].includes(key));
  const described = given.description === undefined || typeof given.description === 'string';
  return keys && described && ['string', 'number', 'boolean', 'json'].includes(String(given.type));
}
