// In-memory test databases that several tests use, one after another, with what is compiled and prepared for their
// statements: both cost more than running most of them.
import { PGlite } from '@electric-sql/pglite';
import type { Database, OnStatement } from './database.js';
import { connected, embeddedDatabase, startParams } from './embedded.js';
import { closedMessage } from './embedded-statements.js';
import { readTemplate } from './testing-embedded.js';
import { empty, readState } from './testing-empty.js';

// Each occupies memory as long as it is open.
const maxSpare = 3;

// A test runs most statements a few times: planning each once, for any parameters, takes less time than each time.
const oncePlanned = [...startParams, '-c', 'plan_cache_mode=force_generic_plan'];

type Recycled = {
  pglite: PGlite;
  database: Database;
  /** The observer of the test that has the database open. */
  onStatement?: OnStatement | undefined;
};

const spare: Recycled[] = [];
let migrated: string | undefined;

/** A migrated, empty database; `afterClose` is called when it can be used again. */
export async function openRecycled(
  onStatement: OnStatement,
  afterClose: () => Promise<void>,
): Promise<Database> {
  const recycled = (await takeSpare()) ?? (await openAnother());
  recycled.onStatement = onStatement;
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await recycled.database.connection(async () => {
      recycled.onStatement = undefined;
    });
    if (spare.length < maxSpare) spare.push(recycled);
    else await recycled.database.close();
    await afterClose();
  }
  return {
    ...recycled.database,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function takeSpare(): Promise<Recycled | undefined> {
  for (let used = spare.pop(); used; used = spare.pop()) {
    // If a test has replaced a table of the migrations, a statement fails.
    if (await reset(used.pglite).catch(() => false)) return used;
    await used.database.close();
  }
}

async function openAnother(): Promise<Recycled> {
  const loadDataDir = new Blob([new Uint8Array(await readTemplate())]);
  const pglite = await PGlite.create({ loadDataDir, startParams: oncePlanned });
  migrated ??= await readState(pglite);
  const onStatement = (sql: string) => {
    if (!recycled.onStatement) throw new Error(closedMessage);
    recycled.onStatement(sql);
  };
  const recycled: Recycled = { pglite, database: await connected(embeddedDatabase(pglite, { onStatement })) };
  return recycled;
}

/** DISCARD ALL, but for the prepared statements. */
const discard = `CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all();
  DISCARD TEMP; DISCARD SEQUENCES`;

async function reset(pglite: PGlite): Promise<boolean> {
  await pglite.exec('ROLLBACK');
  await pglite.exec(discard);
  return empty(pglite, migrated as string);
}
