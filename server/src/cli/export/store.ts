// Queries of the export of users, each scoped to an app and to a page.
import { columnList, Prisma, type Query } from '@foyer/prisma';
import { ledgerNames, type NewEntry } from '../../loyalty/store.js';
import {
  base64urlText,
  type ExportedName,
  exportedNames,
  instantText,
  type UserColumns,
  userColumnList,
} from '../../model/user.js';

export type ExportedIdentity = {
  provider: string;
  subject: string;
  email: string | null;
  linked_at: string;
};

/** What an authenticator shows to everybody: the private key never leaves it. */
type ExportedPasskey = {
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string[];
  aaguid: string;
  rp_id: string | null;
  backed_up: boolean;
  created_at: string;
  last_used_at: string | null;
};

export type ExportedRow = Pick<UserColumns, ExportedName | 'ledgerSize'> & {
  hasPassword: boolean;
  identities: ExportedIdentity[];
  passkeys: ExportedPasskey[];
  /** Only read for an export with hashes. */
  passwordHash?: string | null;
  passwordFromV1?: boolean;
};

export type ExportedEntry = NewEntry & { uid: string; position: number };

const columns = userColumnList([...exportedNames, 'ledgerSize'], 'u');
const hashColumns = Prisma.sql`, ${userColumnList(['passwordHash', 'passwordFromV1'], 'u')}`;
const instant = (column: string) => Prisma.raw(instantText(column));
const base64url = (column: string) => Prisma.raw(base64urlText(column));

export async function countUsers(query: Query, appId: string): Promise<number> {
  const [row] = await query<{ users: number }>(
    Prisma.sql`SELECT count(*)::float8 AS users FROM users WHERE app_id = ${appId}`,
  );
  return row?.users ?? 0;
}

/** At most `maxRows` users in the order of their ids, after a given one. */
export function listExportedUsers(
  query: Query,
  appId: string,
  { after, maxRows, withHashes }: { after: string; maxRows: number; withHashes: boolean },
): Promise<ExportedRow[]> {
  return query<ExportedRow>(Prisma.sql`SELECT ${columns}, u.password_hash IS NOT NULL AS "hasPassword",
      ARRAY(SELECT jsonb_build_object('provider', i.provider, 'subject', i.subject, 'email', i.email,
          'linked_at', ${instant('i.linked_at')})
        FROM identities AS i WHERE i.app_id = ${appId} AND i.user_id = u.id ORDER BY i.provider) AS identities,
      ARRAY(SELECT jsonb_build_object('name', p.name, 'credential_id', ${base64url('p.credential_id')},
          'public_key', ${base64url('p.public_key')}, 'counter', p.counter, 'transports', p.transports,
          'aaguid', p.aaguid, 'rp_id', p.rp_id, 'backed_up', p.backed_up, 'created_at', ${instant('p.created_at')},
          'last_used_at', ${instant('p.last_used_at')})
        FROM passkeys AS p WHERE p.app_id = ${appId} AND p.user_id = u.id ORDER BY p.id) AS passkeys
      ${withHashes ? hashColumns : Prisma.empty}
    FROM users AS u WHERE u.app_id = ${appId} AND u.id > ${after} ORDER BY u.id LIMIT ${maxRows}::int`);
}

/**
 * At most `maxRows` entries of the ledgers of the users from `uid` to `lastUid`, after a position of the first: a range of the
 * primary key, whatever the number of users.
 */
export function listExportedEntries(
  query: Query,
  appId: string,
  { uid, position, lastUid, maxRows }: { uid: string; position: number; lastUid: string; maxRows: number },
): Promise<ExportedEntry[]> {
  const names = columnList(['uid', 'position', ...ledgerNames], { columns: { uid: 'user_id' } });
  return query<ExportedEntry>(Prisma.sql`SELECT ${names} FROM loyalty_entries
    WHERE app_id = ${appId} AND (user_id, position) > (${uid}, ${position}::int) AND user_id <= ${lastUid}
    ORDER BY user_id, position LIMIT ${maxRows}::int`);
}
