// Characters as people and PostgreSQL count them: code points, of which each has one or two UTF-16 code units.

export function charactersOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Counts only where the number of UTF-16 code units, which is never smaller, does not decide. */
export function hasAtMostCharacters(text: string, max: number): boolean {
  return text.length <= max || charactersOf(text) <= max;
}
