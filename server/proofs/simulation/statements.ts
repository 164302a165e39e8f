// Runs the service's own statements for thousands of schedules at a time. Each statement text becomes the body of a function
// in the database, which is called once for each schedule: a round trip serves them all.
import type { Connection } from '@foyer/prisma';

export type Statement = { text: string; values: readonly unknown[]; counts: boolean };
/** The rows, or, for a statement that counts, the number of rows it changed. */
export type Result = unknown[] | number;

export type Statements = ReturnType<typeof statementsOn>;

/** The statements of one transaction: the functions live as long as it does. */
export function statementsOn(connection: Connection) {
  let functions = new Map<string, Promise<{ name: string; types: string[] }>>();

  async function create({ text, counts }: Statement, name: string) {
    await connection.query(`PREPARE ${name} AS ${text}`);
    const [row] = await connection.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = '${name}'`,
    );
    await connection.query(`DEALLOCATE ${name}`);
    const types = row?.types ?? [];
    const body = counts
      ? `${text}; GET DIAGNOSTICS sim_count = ROW_COUNT; RETURN NEXT to_json(sim_count);`
      : `FOR sim_row IN ${text} LOOP RETURN NEXT row_to_json(sim_row); END LOOP;`;
    await connection.script(`CREATE FUNCTION pg_temp.${name}(${types.join(', ')}) RETURNS SETOF json LANGUAGE plpgsql
      AS $sim$#variable_conflict use_column
      DECLARE sim_row record; sim_count int; BEGIN ${body} END$sim$`);
    return { name, types };
  }

  /** Statements of one text, each of another schedule. */
  async function runAlike(statements: Statement[]): Promise<Result[]> {
    const [first] = statements as [Statement];
    const key = `${first.counts} ${first.text}`;
    let made = functions.get(key);
    if (!made) {
      made = create(first, `sim_${functions.size}`);
      functions.set(key, made);
    }
    const { name, types } = await made;
    const values = types.map((type, place) => `(i.v ->> ${place})::${type}`).join(', ');
    const rows = await connection.query<{ n: number; row: unknown }>(
      `SELECT i.n::int AS n, r.row FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS i (v, n)
       CROSS JOIN LATERAL pg_temp.${name}(${values}) AS r (row)`,
      [JSON.stringify(statements.map((statement) => statement.values.map(textOf)))],
    );
    const results: unknown[][] = statements.map(() => []);
    for (const { n, row } of rows) results[n - 1]?.push(revived(row));
    return first.counts ? results.map(([count]) => count as number) : results;
  }

  return {
    /** Statements of different schedules, whose order does not matter. */
    async run(statements: Statement[]): Promise<Result[]> {
      const groups = new Map<string, number[]>();
      for (const [place, { text, counts }] of statements.entries()) {
        const key = `${counts} ${text}`;
        groups.set(key, [...(groups.get(key) ?? []), place]);
      }
      const results: Result[] = [];
      for (const places of groups.values()) {
        const done = await runAlike(places.map((place) => statements[place] as Statement));
        for (const [n, place] of places.entries()) results[place] = done[n] as Result;
      }
      return results;
    },
    async savepoint() {
      const before = new Map(functions);
      await connection.script('SAVEPOINT simulated');
      return {
        async rollBack() {
          await connection.script('ROLLBACK TO SAVEPOINT simulated');
          functions = before;
        },
        release: () => connection.script('RELEASE SAVEPOINT simulated'),
      };
    },
  };
}

/** A value as PostgreSQL reads it from text. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(textOf(item))).join()}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/;

/** A row from JSON: bytes and times are text there. */
function revived(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, revivedValue(value)]));
}

function revivedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revivedValue);
  if (typeof value !== 'string') return value;
  if (value.startsWith('\\x')) return Buffer.from(value.slice(2), 'hex');
  return timePattern.test(value) ? new Date(value) : value;
}
