// Describes an invalid v1 request in one sentence: v1 errors have no fields.

// A Map, since clients choose the names: a plain object has `constructor` and `__proto__`.
const parts = new Map([
  ['body', 'body'],
  ['query', 'query'],
  ['path', 'address'],
]);
const maxNameCharacters = 60;

/** For the first invalid field; undefined if there is none. */
export function v1Sentence(fields: Record<string, string[]>): string | undefined {
  const [name, [problem] = []] = Object.entries(fields)[0] ?? [];
  if (name === undefined || problem === undefined) return undefined;
  return `The ${parts.get(name) ?? shown(name)} ${inWords(problem)}.`;
}

/** Clients choose names; control characters and line breaks are removed. */
function shown(name: string): string {
  const line = name
    .slice(0, maxNameCharacters)
    .toWellFormed()
    .replaceAll(/[_\s\p{Cc}]+/gu, ' ');
  return line.trim() === '' ? 'field' : line.trim();
}

/** Messages about one field are appended to its name; messages about several fields are not. */
function inWords(problem: string): string {
  return /^(must|is|has) /.test(problem) ? problem : 'is not valid';
}
