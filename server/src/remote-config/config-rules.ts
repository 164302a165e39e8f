// Validation of remote config parameters, and their delivery to apps.
import { type ConfigParameter, charactersOf, limits } from '@foyer/contract';
import type { DeliveredValue } from '../deps.js';

export type Parameters = Record<string, ConfigParameter>;
/** The parameters that v1 returned with the user, with empty values. */
export const firstParameters: Parameters = {
  telegram_url: { type: 'string', value: '', description: '' },
  tiers: { type: 'json', value: [], description: '' },
  exclusive_offers: { type: 'json', value: [], description: '' },
  events: { type: 'json', value: [], description: '' },
  services: { type: 'json', value: [], description: '' },
  cards: { type: 'json', value: [], description: '' },
  payment_infrastructure: { type: 'json', value: {}, description: '' },
  concierge: { type: 'json', value: {}, description: '' },
  meta_ads: { type: 'json', value: {}, description: '' },
};

const namePattern = new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${limits.maxConfigNameCharacters - 1}}$`);

/** The violations by path; empty if the parameters are valid. */
export function faultsOf(parameters: Parameters): Record<string, string[]> {
  const entries = Object.entries(parameters);
  if (entries.length > limits.maxConfigParameters) {
    return { parameters: [`must be at most ${limits.maxConfigParameters}`] };
  }
  const faults: [path: string, sentences: string[]][] = [];
  for (const [name, parameter] of entries) {
    if (!namePattern.test(name)) {
      const rule = `must be a letter or _, then letters, digits and _, at most ${limits.maxConfigNameCharacters} in all`;
      faults.push([`parameters.${name}`, [`the name ${rule}`]]);
    }
    const fault = faultOfValue(parameter);
    if (fault) faults.push([`parameters.${name}.value`, [fault]]);
  }
  if (faults.length === 0 && charactersOfAll(parameters) > limits.maxConfigCharacters) {
    const max = limits.maxConfigCharacters.toLocaleString('en');
    return {
      parameters: [`names, values and descriptions must have at most ${max} characters together`],
    };
  }
  return Object.fromEntries(faults);
}

/** The names of parameters that were added, changed or removed, sorted. */
export function changedNames(before: Parameters, after: Parameters): string[] {
  const textOf = (parameters: Parameters, name: string) =>
    Object.hasOwn(parameters, name) ? JSON.stringify(parameters[name]) : null;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => textOf(before, name) !== textOf(after, name))
    .sort();
}

/** Objects and lists as JSON strings, other values unchanged. */
export function deliveredValues(parameters: Parameters): Record<string, DeliveredValue> {
  return Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, delivered(each)]));
}

/** Every value as JSON, not as a JSON string. */
export function plainValues(parameters: Parameters): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));
}

function delivered({ type, value }: ConfigParameter): DeliveredValue {
  return type === 'json' ? JSON.stringify(value) : (value as DeliveredValue);
}

function faultOfValue({ type, value }: ConfigParameter): string | undefined {
  if (type === 'json') {
    if (typeof value !== 'object' || value === null) return 'must be an object or a list';
    return holdsInexactNumber(value) ? `must hold no number that ${inexact}` : undefined;
  }
  if (typeof value !== type) return `must be a ${type}`;
  return typeof value === 'number' && isInexact(value) ? `must be no number that ${inexact}` : undefined;
}

const inexact = 'is not exactly representable: infinite, minus zero, or an integer beyond ±(2^53 − 1)';

/** JSON.parse has rounded such a number, or most JSON serializers would change it. */
function isInexact(value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0)) return true;
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Iterative, since the sender chooses the depth. */
function holdsInexactNumber(root: object): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'number' && isInexact(value)) return true;
    if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) open.push(child);
    }
  }
  return false;
}

function charactersOfAll(parameters: Parameters): number {
  let characters = 0;
  for (const [name, parameter] of Object.entries(parameters)) {
    characters +=
      name.length + charactersOf(String(delivered(parameter))) + charactersOf(parameter.description);
  }
  return characters;
}
