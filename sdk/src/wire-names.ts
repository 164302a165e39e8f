// Converts camelCase arguments to snake_case. For arguments only: stored data is never renamed.

export function wireNames(input: object): object {
  const renamed = Object.entries(input).map(([name, value]) => [
    name.replace(/[A-Z]/g, '_$&').toLowerCase(),
    value instanceof Object ? wireNames(value) : value,
  ]);
  return Object.fromEntries(renamed);
}
