// References to environment variables, `${NAME}`, in the URLs of webhooks, whose path or query may be a secret. `$${` is the text
// `${` itself.

const reference = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export type Environment = Readonly<Record<string, string | undefined>>;

export function escapedReferences(text: string): string {
  // In a replacement that is a text, `$$` would be one `$`.
  return text.replaceAll('${', () => '$${');
}

export function namesIn(text: string): string[] {
  return [...text.matchAll(reference)].flatMap(([, , name]) => (name === undefined ? [] : [name]));
}

/** A variable that is not set is left as a reference. */
export function expanded(text: string, env: Environment): string {
  return text.replace(reference, (all, escaped: string | undefined, name: string | undefined) =>
    name === undefined ? (escaped as string) : (env[name] ?? all),
  );
}

/** Whether a text could be another one with some values of its variables. */
export function couldBe(text: string, withReferences: string): boolean {
  // A URL has no line break.
  const breaks = Object.fromEntries(namesIn(withReferences).map((name) => [name, '\n']));
  const parts = expanded(withReferences, breaks).split('\n');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.+')}$`).test(
    text,
  );
}
