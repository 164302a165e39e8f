// JSON of unknown origin.

/** Returns `fallback` for text that is not JSON. */
export function parsed<T extends object>(text: string | null, fallback: T): T {
  try {
    return JSON.parse(text!) ?? fallback;
  } catch {
    return fallback;
  }
}
