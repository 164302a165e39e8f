// The one mapping between names in TypeScript and names of columns, which are also those on the wire: `photoUrl` is
// `photo_url`. A column with another name is listed where its table is described.
import { Prisma } from './generated/client.js';

export type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

export function snakeOf<Name extends string>(name: Name): Snake<Name> {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<Name>;
}

/**
 * A list for SELECT or RETURNING: `u.photo_url AS "photoUrl", …`, of the relation `of` if there is one. `columns` names those
 * that differ from the mapping, such as `{ uid: 'user_id' }`.
 */
export function columnList(
  names: readonly string[],
  { of, columns = {} }: { of?: string; columns?: Record<string, string> } = {},
): Prisma.Sql {
  const items = names.map((name) => {
    const column = columns[name] ?? snakeOf(name);
    const path = of === undefined ? column : `${of}.${column}`;
    return column === name ? path : `${path} AS "${name}"`;
  });
  return Prisma.raw(items.join(', '));
}
