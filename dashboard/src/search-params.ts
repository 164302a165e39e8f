// Reads filters from the query string of a page. Values that the service would not accept are ignored, so that every
// URL shows a page.

export function oneOf<const Value extends string>(
  values: readonly Value[],
  given: unknown,
): Value | undefined {
  return values.find((value) => value === given);
}

export function textIn(given: unknown, maxCharacters: number): string | undefined {
  if (typeof given !== 'string' || given === '' || given.includes('\0')) return undefined;
  // The cut leaves no half of a character.
  return Array.from(given).slice(0, maxCharacters).join('');
}

export function ulidIn(given: unknown): string | undefined {
  return typeof given === 'string' && isUlid(given) ? given : undefined;
}

export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

/** A day such as 2026-01-02. The service knows no year 0, which the first day of year 1 may be in UTC. */
export function dayIn(given: unknown): string | undefined {
  return typeof given === 'string' && /^[1-9]\d{3}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined;
}

/** Filters as the service takes them: a day begins at midnight where the reader is. */
export function queryOf<Search extends object>(search: Search): Search {
  const isDay = (name: string) => /_(after|before)$/.test(name);
  const entries = Object.entries(search).map(([name, value]) => [
    name,
    value && isDay(name) ? new Date(`${value}T00:00`).toISOString() : value,
  ]);
  return Object.fromEntries(entries);
}
