// Compares what was sent with what its schema keeps of it. A schema of an answer drops unknown keys when it parses, so it
// would let a serializer pass that sends a column nobody is to see.
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';

/** What the schema refuses, drops or changes, each with its path; empty if the value is exactly of the schema. */
export function differencesFrom(schema: z.ZodType, sent: unknown): string[] {
  const { success, data, error } = schema.safeParse(sent);
  if (success) return differencesBetween(sent, data, []);
  return error.issues.map(({ path, message }) => `${nameOf(path)} ${message}`);
}

function differencesBetween(sent: unknown, kept: unknown, path: PropertyKey[]): string[] {
  if (Array.isArray(sent) && Array.isArray(kept)) {
    return sent.flatMap((item, index) => differencesBetween(item, kept[index], [...path, index]));
  }
  if (isObject(sent) && isObject(kept)) {
    const dropped = Object.keys(sent).filter((key) => !Object.hasOwn(kept, key));
    const added = Object.keys(kept).filter((key) => !Object.hasOwn(sent, key));
    return [
      ...dropped.map((key) => `${nameOf([...path, key])} is not in the contract`),
      ...added.map((key) => `${nameOf([...path, key])} is missing`),
      ...Object.keys(sent)
        .filter((key) => Object.hasOwn(kept, key))
        .flatMap((key) => differencesBetween(sent[key], kept[key], [...path, key])),
    ];
  }
  return isDeepStrictEqual(sent, kept) ? [] : [`${nameOf(path)} is not as the contract has it`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(path: PropertyKey[]): string {
  return path.length === 0 ? 'the body' : path.map(String).join('.');
}
