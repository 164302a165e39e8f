// Many ledger entries in one statement, for other modules: those of an import, and those of a deleted account.
import { Prisma } from '@foyer/prisma';

/** Column by column, times as text: the rows are sent as JSON. */
export type ImportedEntry = {
  user_id: string;
  id: string;
  position: number;
  points: number;
  description: string;
  reference?: string | null;
  created_at: string;
};

/** Writes no events: points and ledger size come with the user. */
export function importedEntriesStatement(appId: string, entries: ImportedEntry[]): Prisma.Sql {
  return Prisma.sql`INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, reference, created_at)
    SELECT ${appId}, r.user_id, r.id, r.position, r.points, r.description, r.reference, r.created_at
    FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS r(user_id text, id text, position int, points int,
      description text, reference text, created_at timestamptz)`;
}
