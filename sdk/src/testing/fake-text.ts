// Refuses text that the database of the real service cannot store: U+0000 and half of a surrogate pair.
import { Refusal } from './fake-answer.js';

export function requireStorableText(
  value: unknown,
  part: 'body' | 'query' | 'path',
  path: string[] = [],
): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw invalid(path, part, 'must not hold U+0000 or half of a surrogate pair');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (!isStorable(key)) throw invalid(path, part, 'has a key with U+0000 or half of a surrogate pair');
    requireStorableText(child, part, [...path, key]);
  }
}

/** The parameters of a query that is valid. */
export function queryOf(search: string): URLSearchParams {
  for (const parameter of search.split('&')) {
    const name = decoded(parameter.split('=', 1)[0]!);
    if (name !== undefined && decoded(parameter) !== undefined) continue;
    throw invalid(name === undefined ? [] : [name], 'query', 'is not percent-encoded UTF-8');
  }
  const query = new URLSearchParams(search);
  requireStorableText(Object.fromEntries(query), 'query');
  return query;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function invalid(path: string[], part: string, message: string): Refusal {
  return new Refusal('request/validation-failed', { [path.join('.') || part]: [message] });
}
