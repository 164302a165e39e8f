// The values of environment variables as files and tools deliver them.

/**
 * The values without white space at their ends, and without those that are blank. `docker run --env-file` and others pass on the
 * carriage return of a file with Windows line endings, which would become a part of a path, a key or a host name.
 */
export function givenValues(environment: Record<string, string | undefined>): Record<string, string> {
  const trimmed = Object.entries(environment).map(([name, value = '']) => [name, value.trim()]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

/** Whether the tool has passed on the quotation marks of a file: a path that begins with one is a folder of another name. */
export function isQuoted(value: string | undefined): boolean {
  return /^(["']).*\1$/s.test(value ?? '');
}

export const withoutQuotes =
  'must not be in quotation marks, which are a part of the value here: remove them';
