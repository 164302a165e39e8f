// JSON from outside: what a text or a value may turn out to be.

export type Fields = { [key: string]: unknown };

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if the text is not JSON. The parser's error is dropped: it quotes its input, which may be secret. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
