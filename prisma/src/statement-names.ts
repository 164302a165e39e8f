// Names SQL texts, so that PostgreSQL prepares them: it parses and plans each once per connection.

// Prisma generates a new text for each length of an IN list, so the number of names is limited; later texts are
// unnamed.
const limit = 500;

export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= limit) return '';
    const name = `foyer_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
