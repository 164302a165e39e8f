// What a change of stored fields was, for the details of its audit entry: the old and the new value of each field that differs.
// The caller passes what the API shows of both states, which never contains a secret.
import { limits } from '@foyer/contract';

export type ChangedValue = { from: unknown; to: unknown };

/** By the path of each field, such as `mail.from_name`; an array is one value, as is what lies deeper than `levels`. */
export function changesBetween(
  before: object,
  after: object,
  levels = Number.POSITIVE_INFINITY,
): Record<string, ChangedValue> {
  const changes = differences(before, after, '', levels);
  return Object.fromEntries(changes.slice(0, limits.auditChanges));
}

/** An object or array is stored as it is while its JSON is short, and else as the beginning of it. */
export function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const characters = [...text];
  if (characters.length <= limits.auditValueCharacters) return value ?? null;
  return `${characters.slice(0, limits.auditValueCharacters - 1).join('')}…`;
}

function differences(
  before: object,
  after: object,
  prefix: string,
  levels: number,
): [string, ChangedValue][] {
  // Maps: a field may be named like a method of every object.
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  return names.flatMap((name) => {
    const [from, to] = [old.get(name), current.get(name)];
    if (levels > 1 && isFields(from) && isFields(to))
      return differences(from, to, `${prefix}${name}.`, levels - 1);
    if (JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return [];
    return [[`${prefix}${name}`, { from: shortened(from), to: shortened(to) }]];
  });
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
