// Prisma's adapter for the embedded database. pglite-prisma-adapter converts the types of values; its statements run as
// our prepared ones, and its transactions, which ignore a failing COMMIT, are replaced.
import type { PGlite } from '@electric-sql/pglite';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Parsers, Statements } from './embedded-statements.js';
import { type Turns, takeTurns } from './turns.js';

export function embeddedAdapter(statements: Statements, turns: Turns): SqlDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: 'foyer-embedded',
    async connect(): Promise<SqlDriverAdapter> {
      const outside = await queryable((run) => turns.inTurn(run), statements);
      // The owner of the connection may still send several statements at once, as Prisma does for one large createMany.
      const within = takeTurns();
      const inside = await queryable((run) => within.inTurn(run), statements);
      return {
        ...outside,
        getConnectionInfo: () => ({ supportsRelationJoins: true }),
        executeScript: (script) => turns.inTurn(() => statements.script(script)),
        startTransaction: (isolationLevel) => startTransaction(inside, turns, isolationLevel),
        dispose: async () => {},
      };
    },
  };
}

type Runner = <T>(run: () => Promise<T>) => Promise<T>;

async function queryable(runner: Runner, statements: Statements): Promise<SqlQueryable> {
  const client = {
    query: (sql: string, values: unknown[], options: { parsers: Parsers }) =>
      runner(() => statements.query(sql, values, options)),
  };
  const adapter = await new PrismaPGlite(client as unknown as PGlite).connect();
  return {
    provider: 'postgres',
    adapterName: 'foyer-embedded',
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
  };
}

/** Prisma sends COMMIT or ROLLBACK itself, and then calls this. */
async function startTransaction(
  inside: SqlQueryable,
  turns: Turns,
  isolationLevel: string | undefined,
): Promise<Transaction> {
  const end = await turns.take();
  try {
    const level = isolationLevel ? ` ISOLATION LEVEL ${isolationLevel}` : '';
    await inside.executeRaw({ sql: `BEGIN${level}`, args: [], argTypes: [] });
  } catch (error) {
    end();
    throw error;
  }
  return {
    ...inside,
    options: { usePhantomQuery: false },
    commit: async () => end(),
    rollback: async () => end(),
  };
}
