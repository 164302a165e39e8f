// A statement that a connection prepares once. After that it is sent as one message, without asking PostgreSQL to describe its
// columns again, as pg does each time.
import pg from 'pg';
import { serialize } from 'pg-protocol';

type Connection = {
  stream: { write(message: Buffer): void };
  /** The names whose Parse is not answered yet. */
  submittedNamedStatements: Record<string, string>;
};
type Texts = (string | null)[];
type Column = { name: string; parse: (text: string) => unknown };

/** Adds what pg calls on a query, which its types leave out. */
const Query = pg.Query as unknown as new (
  text: string,
  values: unknown[],
) => { name: string; prepare(connection: Connection): void };
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

const executeAndSync = Buffer.concat([serialize.execute({}), serialize.sync()]);
/** The columns of the prepared statements of each connection, by their names. */
const columnsOf = new WeakMap<Connection, Map<string, Column[]>>();

/** Is prepared if it has a name. Its constructor throws if a value cannot be sent. */
export class PreparedStatement extends Query {
  private readonly message: Buffer;
  private columns: Column[] | undefined;
  private described: Map<string, Column[]> | undefined;
  private readonly texts: Texts[] = [];

  constructor(name: string, text: string, values: unknown[]) {
    super(text, values);
    this.name = name;
    const bind = serialize.bind({ statement: name, values, valueMapper: prepareValue });
    this.message = Buffer.concat([bind, executeAndSync]);
  }

  /** Once it is answered, so that a value that cannot be parsed fails its own call. */
  parsedRows(): Record<string, unknown>[] {
    return this.texts.map((texts) => {
      const row: Record<string, unknown> = {};
      this.columns?.forEach(({ name, parse }, at) => {
        const text = texts[at] as string | null;
        row[name] = text === null ? null : parse(text);
      });
      return row;
    });
  }

  override prepare(connection: Connection): void {
    // The Parse that was sent may still fail, as when it waits for a lock on a table, and then the name does not exist.
    if (connection.submittedNamedStatements[this.name]) this.name = '';
    this.described = columnsOf.get(connection) ?? new Map();
    columnsOf.set(connection, this.described);
    this.columns = this.described.get(this.name);
    if (this.columns) connection.stream.write(this.message);
    else super.prepare(connection);
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID),
    }));
    if (this.name !== '') this.described?.set(this.name, this.columns);
  }

  handleDataRow({ fields }: { fields: Texts }): void {
    this.texts.push(fields);
  }

  handleCommandComplete(): void {}
}
