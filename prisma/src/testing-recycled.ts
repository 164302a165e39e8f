// In-memory test databases that several tests use, one after another.
import { PGlite } from '@electric-sql/pglite';
import { startParams } from './embedded.js';
import { readTemplate } from './testing-embedded.js';
import { empty, readState } from './testing-empty.js';

// Each occupies memory as long as it is open.
const maxSpare = 3;

// A test runs most statements a few times: planning each once, for any parameters, takes less time than each time.
const oncePlanned = [...startParams, '-c', 'plan_cache_mode=force_generic_plan'];

const spare: PGlite[] = [];
let migrated: string | undefined;

/** A migrated, empty database. */
export async function openRecycled(): Promise<PGlite> {
  for (let used = spare.pop(); used; used = spare.pop()) {
    // If a test has replaced a table of the migrations, a statement fails.
    if (await reset(used).catch(() => false)) return used;
    await used.close();
  }
  const loadDataDir = new Blob([new Uint8Array(await readTemplate())]);
  const pglite = await PGlite.create({ loadDataDir, startParams: oncePlanned });
  migrated ??= await readState(pglite);
  return pglite;
}

/** For a database that its test has closed. */
export async function recycle(pglite: PGlite): Promise<void> {
  if (spare.length < maxSpare) spare.push(pglite);
  else await pglite.close();
}

async function reset(pglite: PGlite): Promise<boolean> {
  await pglite.exec('ROLLBACK');
  await pglite.exec('DISCARD ALL');
  return empty(pglite, migrated as string);
}
