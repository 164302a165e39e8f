// What is wrong with a request of v1 as one sentence: its errors have no fields.

// A map, for the name is the caller's: a plain object answers to `constructor` and `__proto__` too.
const parts = new Map([
  ['body', 'body'],
  ['query', 'query'],
  ['path', 'address'],
]);
const longestName = 60;

/** Of the first field that something is wrong with; undefined where there is none. */
export function v1Sentence(fields: Record<string, string[]>): string | undefined {
  const [name, [problem] = []] = Object.entries(fields)[0] ?? [];
  if (name === undefined || problem === undefined) return undefined;
  return `The ${parts.get(name) ?? shown(name)} ${inWords(problem)}.`;
}

/** A name may be the client's own; what it holds of control characters and line breaks is no part of a sentence. */
function shown(name: string): string {
  const line = name
    .slice(0, longestName)
    .toWellFormed()
    .replaceAll(/[_\s\p{Cc}]+/gu, ' ');
  return line.trim() === '' ? 'field' : line.trim();
}

/** Problems of one field read on from its name; one of several fields together is no sentence about the first of them. */
function inWords(problem: string): string {
  return /^(must|is|has) /.test(problem) ? problem : 'is not valid';
}
