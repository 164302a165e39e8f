// A second app with the rows and ids of another, as an import of its export keeps the uids: what a statement on the one finds
// without naming its app is a row of the other.
import type { Database } from '@foyer/prisma';
import { appTables } from '../src/apps/store.js';
import { rowsOfApp } from './rows.js';

/** Less than every other id, so that the rows of the twin are found first. */
const twinId = '00000000000000000000000001';

/** What differs in the twin, so that a row of it is recognized: nothing that a statement looks for. */
const marks: { [Table in (typeof appTables)[number]]?: object } = {
  users: { first_name: 'Twin', points: 99 },
  sessions: { device_name: 'Twin' },
  files: { name: 'twin.txt' },
  passkeys: { name: 'Twin' },
  secret_keys: { name: 'Twin' },
  identities: { email: 'twin@example.com' },
  user_notes: { text: 'Twin' },
  loyalty_entries: { description: 'Twin' },
  records: { fields: { of: 'twin' } },
  collections: { access_mode: 'signed_in_read' },
  push_devices: { name: 'Twin' },
  push_messages: { actor: 'Twin' },
  config_versions: { note: 'Twin' },
  webhook_endpoints: { description: 'Twin', enabled: false },
  webhook_deliveries: { response_body: 'Twin', next_attempt_at: null },
  events: { data: { user: { first_name: 'Twin' } }, pending: false },
  audit_log: { details: { name: 'Twin' }, pending: false },
};

/** Tables of work that is due, which the service would do in the twin, too. */
export const dueTables: string[] = ['account_purges', 'webhook_replays'];

/** Inserts the twin of an app, and returns its id. In each table the rows of the twin precede those of the app. */
export async function addTwin(database: Database, appId: string): Promise<string> {
  const { prisma } = database;
  const rows = await rowsOfApp(database, appId);
  const insert = (table: string, changes: object) =>
    prisma.$executeRawUnsafe(
      `INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
      JSON.stringify(rows[table]?.map((row) => ({ ...(row as object), ...changes }))),
    );
  await insert('apps', { id: twinId, slug: 'twin', app_key: 'pk_twin' });
  for (const table of appTables.toReversed()) {
    if (dueTables.includes(table)) continue;
    await insert(table, { ...marks[table], app_id: twinId });
    await prisma.$executeRawUnsafe(`CLUSTER "${table}" USING "${table}_pkey"`);
  }
  return twinId;
}
