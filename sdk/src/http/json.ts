// JSON of unknown origin.

/** Returns `fallback` for text that is not JSON, or is null. */
export function parsed<T extends object>(text: string | null, fallback = {} as T): T {
  try {
    return JSON.parse(text!) ?? fallback;
  } catch {
    return fallback;
  }
}
