// In-memory test databases that several tests use, one after another, each with its Prisma client: the query plans of the
// client and the prepared statements are kept, and creating them again would cost more than most tests.
import { PGlite } from '@electric-sql/pglite';
import type { Database, OnStatement } from './database.js';
import { connected, embeddedDatabase, startParams } from './embedded.js';
import { readTemplate } from './testing-embedded.js';
import { empty, readState } from './testing-empty.js';

// Each occupies memory as long as it is open.
const maxSpare = 3;
/** Of all statements of the service, so that no test finds the last ones unprepared. */
const maxPrepared = 5_000;

type Recycled = {
  pglite: PGlite;
  database: Database;
  /** Of the test that uses the database; without one every statement is refused. */
  onStatement: OnStatement | undefined;
};

const spare: Recycled[] = [];
let migrated: string | undefined;

/** A migrated, empty database; closing it makes it available to the next test. */
export async function openRecycled(onStatement: OnStatement): Promise<Database> {
  const used = (await takeSpare()) ?? (await openNew());
  used.onStatement = onStatement;
  let closing: Promise<void> | undefined;
  return {
    ...used.database,
    close() {
      closing ??= release(used);
      return closing;
    },
  };
}

/** The one that has been closed for longest: work that its test has left behind fails meanwhile, as on a closed database. */
async function takeSpare(): Promise<Recycled | undefined> {
  for (let used = spare.shift(); used; used = spare.shift()) {
    const { pglite, database } = used;
    // If a test has replaced a table of the migrations, a statement fails.
    if (await database.connection(() => reset(pglite)).catch(() => false)) return used;
    await database.close();
  }
  return undefined;
}

async function openNew(): Promise<Recycled> {
  const loadDataDir = new Blob([new Uint8Array(await readTemplate())]);
  const pglite = await PGlite.create({ loadDataDir, startParams });
  migrated ??= await readState(pglite);
  const recycled: Recycled = { pglite, database: undefined as never, onStatement: undefined };
  const onStatement = (sql: string) => {
    if (!recycled.onStatement) throw new Error('The database is closed.');
    recycled.onStatement(sql);
  };
  recycled.database = await connected(embeddedDatabase(pglite, { onStatement, maxPrepared }));
  return recycled;
}

async function release(used: Recycled): Promise<void> {
  // After the statements and transactions that have been sent.
  await used.database.connection(async () => {
    used.onStatement = undefined;
  });
  if (spare.length < maxSpare) spare.push(used);
  else await used.database.close();
}

async function reset(pglite: PGlite): Promise<boolean> {
  // DISCARD ALL, but for the prepared statements.
  await pglite.exec(`ROLLBACK; CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *;
    SELECT pg_advisory_unlock_all(); DISCARD PLANS; DISCARD TEMP; DISCARD SEQUENCES`);
  return empty(pglite, migrated as string);
}
