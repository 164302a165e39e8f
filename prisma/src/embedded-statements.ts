// Implements PostgreSQL's protocol with PGlite: each SQL text is prepared once and then run with a single message,
// which is five times as fast as PGlite's own `query` with its six messages a statement.
import { type messages, type PGlite, protocol } from '@electric-sql/pglite';
import type { OnStatement, TraceStatement } from './database.js';

const { serialize } = protocol;

// Prisma generates a new text for each length of an IN list.
const limit = 500;

export type Parsers = Record<number, (text: string, oid: number) => unknown>;
type Field = { name: string; dataTypeID: number };
type Prepared = { name: string; parameterTypes: number[]; fields: Field[] };
export type StatementResult = { fields: Field[]; rows: unknown[][]; affectedRows: number };

export const closedMessage = 'The database is closed.';

/** It is not safe for concurrent use: the caller must own the connection. */
export type Statements = {
  /** `parsers` take precedence over PGlite's own; they should be the same object each time. `once`: not prepared. */
  query(
    sql: string,
    values: unknown[],
    options?: { parsers?: Parsers; once?: boolean },
  ): Promise<StatementResult>;
  script(sql: string): Promise<void>;
  close(): void;
};

export function prepareStatements(
  pglite: PGlite,
  onStatement: OnStatement | undefined,
  traceStatement?: TraceStatement | undefined,
): Statements {
  /** The one that was used last is at the end. */
  const prepared = new Map<string, Prepared>();
  let named = 0;
  const parsersOf = new WeakMap<Parsers, Parsers>();
  let closed = false;

  function send(...parts: Uint8Array[]): Promise<messages.BackendMessage[]> {
    if (closed) throw new Error(closedMessage);
    return pglite.execProtocolStream(joined(parts), { syncToFs: false });
  }

  function withDefaults(parsers: Parsers): Parsers {
    const known = parsersOf.get(parsers) ?? { ...pglite.parsers, ...parsers };
    parsersOf.set(parsers, known);
    return known;
  }

  /** Makes room for another statement. */
  function closeOldest(): Uint8Array[] {
    const [oldest] = prepared;
    if (!oldest || prepared.size < limit) return [];
    const [sql, { name }] = oldest;
    prepared.delete(sql);
    return [serialize.close({ type: 'S', name })];
  }

  async function prepare(sql: string, once: boolean): Promise<Prepared> {
    const known = prepared.get(sql);
    if (known) {
      prepared.delete(sql);
      prepared.set(sql, known);
      return known;
    }
    const name = once ? '' : `foyer_${named++}`;
    const answer = await send(
      ...(once ? [] : closeOldest()),
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    );
    const parameters = find<messages.ParameterDescriptionMessage>(answer, 'parameterDescription');
    const row = find<messages.RowDescriptionMessage>(answer, 'rowDescription');
    const statement = { name, parameterTypes: parameters?.dataTypeIDs ?? [], fields: row?.fields ?? [] };
    if (name !== '') prepared.set(sql, statement);
    return statement;
  }

  const run: Pick<Statements, 'query' | 'script'> = {
    async query(sql, values, { parsers = pglite.parsers, once = false } = {}) {
      const { name, parameterTypes, fields } = await prepare(sql, once);
      const texts = values.map((value, i) => {
        if (value === null || value === undefined) return null;
        return pglite.serializers[parameterTypes[i] ?? 0]?.(value) ?? String(value);
      });
      const answer = await send(
        serialize.bind({ statement: name, values: texts }),
        serialize.execute({}),
        serialize.sync(),
      );
      return readAnswer(answer, fields, withDefaults(parsers));
    },
    async script(sql) {
      await send(serialize.query(sql));
    },
  };

  async function observed<T>(sql: string, work: () => Promise<T>): Promise<T> {
    onStatement?.(sql);
    const ended = traceStatement?.(sql);
    if (!ended) return work();
    const result = work();
    result.then(() => ended(), ended);
    return result;
  }

  return {
    query: (sql, ...rest) => observed(sql, () => run.query(sql, ...rest)),
    script: (sql) => observed(sql, () => run.script(sql)),
    close() {
      closed = true;
    },
  };
}

function readAnswer(answer: messages.BackendMessage[], fields: Field[], parsers: Parsers): StatementResult {
  const rows: unknown[][] = [];
  let affectedRows = 0;
  for (const message of answer) {
    if (message.name === 'dataRow') {
      const texts = (message as messages.DataRowMessage).fields;
      rows.push(texts.map((text, i) => parsed(text, fields[i]!.dataTypeID, parsers)));
    } else if (message.name === 'commandComplete') {
      // The tag ends in the count, as in "UPDATE 3" and "INSERT 0 5".
      affectedRows =
        Number.parseInt((message as messages.CommandCompleteMessage).text.split(' ').at(-1)!, 10) || 0;
    }
  }
  return { fields, rows, affectedRows };
}

function parsed(text: string | null, type: number, parsers: Parsers): unknown {
  const parser = parsers[type];
  return text === null || parser === undefined ? text : parser(text, type);
}

function find<T extends messages.BackendMessage>(
  answer: messages.BackendMessage[],
  name: string,
): T | undefined {
  return answer.find((message) => message.name === name) as T | undefined;
}

function joined(parts: Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
