// What a command prints of an error, in this process or on behalf of the running service that executed it.
import { ApiError } from '../lib/api-error.js';

/** The fields of a refusal by the rules of the API say what to change. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  if (fields.length === 0) return error.message;
  return fields.map(([name, sentences]) => `${name} ${sentences.join(', ')}`).join('; ');
}
