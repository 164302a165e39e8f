// Characters as people and PostgreSQL count them: code points, of which each has one or two units of a string.

export function charactersOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** For `refine`: the check and what it says. `max` counts the units. */
export function atMostCharacters(most: number) {
  return [
    // Never more than units, so that most texts need no counting.
    (text: string) => text.length <= most || charactersOf(text) <= most,
    `must have at most ${most} characters`,
  ] as const;
}
