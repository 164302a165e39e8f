// The `fields` of `request/validation-failed`: violations of the contract by dotted path.
import type { RequestValidationError } from '@ts-rest/express';

type Issue = {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
  /** The issues of each variant of a union. */
  errors?: readonly (readonly Issue[])[];
};

/** The response contains no more. */
const maxFields = 100;

export function fieldsOf(error: RequestValidationError): Record<string, string[]> {
  const fields = new Map<string, Set<string>>();
  for (const [part, failure] of Object.entries({
    path: error.pathParams,
    headers: error.headers,
    query: error.query,
    body: error.body,
  })) {
    for (const issue of issuesOf(failure)) {
      const path = (issue.path ?? [])
        .map((step) => String(typeof step === 'object' ? step.key : step))
        .join('.');
      const name = path || part;
      const sentences = fields.get(name) ?? new Set();
      if (sentences.size === 0 && fields.size === maxFields) break;
      fields.set(name, sentences.add(issue.message));
    }
  }
  // Built from entries, so that `__proto__` is an ordinary field.
  return Object.fromEntries([...fields].map(([name, sentences]) => [name, [...sentences]]));
}

function issuesOf(failure: { issues: readonly Issue[] } | null): readonly Issue[] {
  if (failure === null) return [];
  return failure.issues.flatMap((issue) => {
    const alternatives = (issue.errors ?? []).flat();
    const path = issue.path ?? [];
    return alternatives.length === 0
      ? issue
      : alternatives.map((each) => ({ ...each, path: [...path, ...(each.path ?? [])] }));
  });
}
