/** Orders texts by their UTF-16 code units, independently of the locale; for `sort`. */
export function compareTexts(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
