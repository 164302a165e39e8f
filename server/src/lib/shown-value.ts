// What a client sent, as it is shown to the team of the app and in the log.

const maxCharacters = 120;

/** The characters of identifiers, origins and URLs; others could hide or fake something where the value is shown. */
export function shownValue(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, maxCharacters).replace(/[^A-Za-z0-9._:/@+=~[\]-]/g, '?');
  return value.length > maxCharacters ? `${text}...` : text;
}
