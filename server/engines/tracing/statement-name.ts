// The name of a database statement for traces: its first change and the table, as in "UPDATE sessions". Texts contain no values,
// but those of one statement may differ by the number of its parameters.

const maxNames = 1_000;
const names = new Map<string, string>();
// `FOR UPDATE` locks rows.
const change =
  /\b(INSERT\s+INTO|(?<!\bFOR\s+(?:NO\s+KEY\s+)?)UPDATE|DELETE\s+FROM)\s+("?\w+"?(?:\."?\w+"?)?)/i;
const read = /\b(FROM)\s+("?\w+"?(?:\."?\w+"?)?)/i;

export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = nameOf(sql);
  if (names.size < maxNames) names.set(sql, name);
  return name;
}

function nameOf(sql: string): string {
  const [verb = 'statement'] = /[a-z]+/i.exec(sql) ?? [];
  // The rows that a common table expression changes are what the statement is about.
  const [, clause = '', table] = change.exec(sql) ?? read.exec(sql) ?? [];
  if (table === undefined) return verb.toUpperCase();
  const [operation = ''] = clause.toUpperCase().split(/\s/);
  return `${operation === 'FROM' ? 'SELECT' : operation} ${table.replaceAll('"', '').replace(/^public\./, '')}`;
}
