// What an export contains: a row of this table for each kind of rows of a user, with the columns that are about the user. Secrets
// and their hashes are left out, and so is what is about somebody else. PostgreSQL writes the JSON, so that numbers of records
// are those that were stored.
import { Prisma } from '@foyer/prisma';
import type { UserIds } from '../accounts/account.js';
import { base64urlText, instantText } from '../model/user.js';

/** The order of the rows, which is also the cursor; a section of few rows has none. */
type Key = { column: string; type: 'text' | 'int' };

export type Section = {
  name: string;
  from: string;
  columns: readonly string[];
  /** Of the relation `t`. */
  where: (ids: UserIds, now: Date) => Prisma.Sql;
  order: string;
  key?: Key;
  /** Where a row may be large. */
  maxRows?: number;
};

const time = (column: string, name = column) => `${instantText(`t.${column}`)} AS ${name}`;
const ofUser = ({ appId, uid }: UserIds) => Prisma.sql`t.app_id = ${appId} AND t.user_id = ${uid}`;
const ofOwner = ({ appId, uid }: UserIds) => Prisma.sql`t.app_id = ${appId} AND t.owner_id = ${uid}`;
const byId: Key = { column: 'id', type: 'text' };

/** Entries of others are without their IP address, and name no member. */
const isOwnEntry = `t.actor = 'user:' || t.user_id`;

/** Rows of a user that are counted by day, and found by their primary key. */
function ofLatestDays({ appId, uid }: UserIds, now: Date): Prisma.Sql {
  return Prisma.sql`t.app_id = ${appId} AND t.user_id = ${uid} AND t.version = ANY ('{1,2}'::smallint[])
    AND t.day = ANY (ARRAY(SELECT ${now}::date - n FROM generate_series(-1, 3) AS n))`;
}

export const sections: readonly Section[] = [
  {
    name: 'sessions',
    from: 'sessions',
    columns: [
      ...[
        't.id',
        't.method',
        't.amr',
        time('auth_time'),
        't.device_name',
        't.device_type',
        't.os',
        't.browser',
      ],
      ...[
        't.app_version',
        't.ip_address',
        time('created_at'),
        time('last_used_at'),
        time('ended_at'),
        't.end_reason',
      ],
    ],
    where: ofUser,
    order: 't.id',
    key: byId,
  },
  {
    name: 'v1_tokens',
    from: 'v1_tokens',
    columns: [time('signed_in_at'), time('last_used_at')],
    where: ofUser,
    order: 't.signed_in_at',
  },
  {
    name: 'codes',
    from: 'codes',
    columns: ['t.purpose', 't.email', time('sent_at')],
    where: ({
      appId,
      uid,
    }) => Prisma.sql`t.app_id = ${appId} AND t.purpose IN ('sign_in', 'reset', 'verification', 'email_change')
      AND t.subject IN (${uid}, (SELECT u.email FROM users AS u WHERE u.app_id = ${appId} AND u.id = ${uid}))`,
    order: 't.id',
  },
  {
    name: 'identities',
    from: 'identities',
    columns: ['t.provider', 't.subject', 't.email', 't.client_id', time('linked_at')],
    where: ofUser,
    order: 't.provider',
  },
  {
    name: 'passkeys',
    from: 'passkeys',
    columns: [
      ...['t.id', 't.name', `${base64urlText('t.credential_id')} AS credential_id`],
      ...[
        `${base64urlText('t.public_key')} AS public_key`,
        't.counter',
        't.backed_up',
        't.transports',
        't.aaguid',
        't.rp_id',
      ],
      ...[time('created_at'), time('last_used_at')],
    ],
    where: ofUser,
    order: 't.id',
  },
  {
    name: 'second_factors',
    from: 'second_factors',
    columns: [
      ...[time('enrolled_at'), time('pending_at'), 'cardinality(t.recovery_hashes) AS recovery_codes_left'],
      `ARRAY(SELECT ${instantText('g')} FROM unnest(t.guess_times) AS g) AS guess_times`,
    ],
    where: ofUser,
    order: 't.user_id',
  },
  {
    name: 'loyalty_entries',
    from: 'loyalty_entries',
    columns: ['t.id', 't.position', 't.points', 't.description', 't.reference', time('created_at')],
    where: ofUser,
    order: 't.position',
    key: { column: 'position', type: 'int' },
  },
  {
    name: 'files',
    from: 'files',
    columns: [
      ...['t.id', 't.name', 't.content_type', 't.size', `encode(t.sha256, 'hex') AS sha256`, 't.visibility'],
      time('created_at'),
    ],
    where: ofOwner,
    order: 't.id',
    key: byId,
  },
  {
    name: 'data_usage',
    from: 'data_usage',
    columns: ['t.bytes'],
    where: ofUser,
    order: 't.user_id',
  },
  {
    name: 'push_devices',
    from: 'push_devices',
    columns: [
      ...['t.id', 't.provider', 't.platform', 't.environment', 't.app_version', 't.locale', 't.name'],
      ...[time('invalid_at'), time('created_at'), time('last_registered_at')],
    ],
    where: ofUser,
    order: 't.id',
  },
  {
    name: 'push_topics',
    from: 'push_topics',
    columns: ['t.device_id', 't.topic'],
    where: ({ appId, uid }) => Prisma.sql`t.app_id = ${appId} AND t.device_id = ANY (ARRAY(
      SELECT d.id FROM push_devices AS d WHERE d.app_id = ${appId} AND d.user_id = ${uid}))`,
    order: 't.device_id, t.topic',
  },
  {
    name: 'active_days',
    from: 'daily_active_users',
    columns: [`to_char(t.day, 'YYYY-MM-DD') AS day`, `t.version AS api_version`],
    where: ofLatestDays,
    order: 't.day, t.version',
  },
  {
    name: 'events',
    from: 'events',
    columns: ['t.id', 't.type', 't.data', time('created_at')],
    where: ofUser,
    order: 't.id',
    key: byId,
  },
  {
    name: 'audit_entries',
    from: 'audit_log',
    columns: [
      't.id',
      `CASE WHEN ${isOwnEntry} THEN 'user' WHEN t.actor LIKE 'secret\\_key:%' THEN 'backend' ` +
        `WHEN t.actor LIKE 'member:%' THEN 'team' ELSE t.actor END AS actor`,
      ...[
        't.action',
        `CASE WHEN ${isOwnEntry} THEN t.ip_address END AS ip_address`,
        't.details',
        time('created_at'),
      ],
    ],
    where: ofUser,
    order: 't.id',
    key: byId,
  },
];

/** The records of the user in one collection: no index finds those of all collections. */
export function recordSection(collectionId: string): Section {
  return {
    name: 'records',
    from: 'records',
    columns: ['t.id', 't.fields', 't.version', time('created_at'), time('updated_at')],
    where: ({ appId, uid }) =>
      Prisma.sql`t.app_id = ${appId} AND t.collection_id = ${collectionId} AND t.owner_uid = ${uid}`,
    order: 't.id',
    key: byId,
    maxRows: 16,
  };
}
