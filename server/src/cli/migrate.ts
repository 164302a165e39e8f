// foyer migrate: migrates the database, and distributes its tables over the nodes of a Citus cluster.
import { distribute } from '@foyer/prisma';
import type { buildStoreDeps } from '../wiring.js';
import { type Print, parse } from './argv.js';

/** Opening the store migrates it, with any keys. */
export async function migrateOnly(
  argv: string[],
  print: Print,
  open: () => ReturnType<typeof buildStoreDeps>,
): Promise<void> {
  const { options } = parse(argv, { distribute: { type: 'boolean' } });
  const { database, close } = await open();
  try {
    const tables = options.distribute ? await distribute(database) : [];
    print('The database is up to date.');
    if (tables.length > 0) print(`Distributed: ${tables.join(', ')}.`);
  } finally {
    await close();
  }
}
