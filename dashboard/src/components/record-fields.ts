// The fields that the records of a collection have, in the order in which pages offer them.
import type { DataRecord } from '@foyer/contract';

/** How many of them a table shows until a member chooses others. */
export const shownFields = 3;

/** Indexed fields come first, then those that most records have. Only indexed ones may be within another. */
export function fieldsOf(
  records: readonly Pick<DataRecord, 'fields'>[],
  indexed: readonly string[],
): string[] {
  const counts = new Map<string, number>();
  for (const { fields } of records)
    for (const name of Object.keys(fields)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  return [...new Set([...indexed, ...byCount])];
}

/** The value at a path such as `address.city`; a key that contains a dot is meant as it is. */
export function valueAt(fields: DataRecord['fields'], path: string): unknown {
  if (Object.hasOwn(fields, path)) return fields[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      fields,
    );
}

/** A text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const previewCharacters = 160;

/** The fields in one line, shortened. */
export function previewOf({ fields }: Pick<DataRecord, 'fields'>): string {
  const text = JSON.stringify(fields);
  return text.length > previewCharacters ? `${text.slice(0, previewCharacters)}…` : text;
}
