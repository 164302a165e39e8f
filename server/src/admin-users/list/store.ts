// The statements of the list of users. A page is read from an index in the order of the list, from the cursor on, or is
// the top-N of a set; filters without an index are checked on batches of users. Values are bound and the texts are few,
// so that PostgreSQL prepares each once; none depends on a plan for a special value.
import { limits } from '@foyer/contract';
import { isCutOff, numbered, Prisma, type Query } from '@foyer/prisma';
import { ApiError } from '../../lib/api-error.js';
import { instantText } from '../../model/user.js';
import { type AdminUserRow, adminUserColumns } from '../admin-user.js';
import {
  type Place,
  sortsByEmail,
  type UserFilters,
  type UserOrder,
  type UserSet,
  type UserStream,
} from './list-rules.js';
import { type SearchTerms, searchTerms } from './search-rules.js';
import { wordsOfUser, wordsQuery } from './search-words.js';

export type ListedUser = AdminUserRow & Place;

type Values = UserFilters & { appId: string; key: string; id: string; maxRows: number };
type Bound = Omit<Values, 'q'> & SearchTerms;
type Value = { [Name in keyof Bound]: Prisma.Sql };

const types: { [Name in keyof Bound]: string } = {
  appId: 'text',
  key: 'text',
  id: 'text',
  maxRows: 'int',
  exact: 'text',
  address: 'text',
  words: 'text',
  domain: 'text',
  email: 'text',
  disabled: 'boolean',
  emailVerified: 'boolean',
  provider: 'text',
  createdAfter: 'timestamptz',
  createdBefore: 'timestamptz',
  v1UsedAfter: 'timestamptz',
  uids: 'text[]',
};

const setTypes = { ...types, sorted: 'int', keys: 'int' };
const streamTypes = { ...types, rows: 'int' };

/** SQL of an order: the sort key of a relation named `u` as text, ORDER BY (also of keys named `k`), and so on. */
function orderOf(order: UserOrder, { key, id }: Pick<Value, 'key' | 'id'>) {
  const up = !order.startsWith('-');
  const [direction, reverse] = up ? ['ASC', 'DESC'] : ['DESC', 'ASC'];
  const column = sortsByEmail(order) ? 'email' : 'created_at';
  const place = sortsByEmail(order) ? Prisma.sql`${key} COLLATE "C"` : Prisma.sql`${key}::timestamptz`;
  return {
    column,
    keyText: Prisma.raw(sortsByEmail(order) ? 'u.email' : instantText('u.created_at')),
    by: Prisma.raw(`u.${column} ${direction}, u.id ${direction}`),
    ofKeys: Prisma.raw(`k.${column} ${direction}, k.id ${direction}`),
    reverse: Prisma.raw(`u.${column} ${reverse}, u.id ${reverse}`),
    after: Prisma.sql`(u.${Prisma.raw(column)}, u.id) ${Prisma.raw(up ? '>' : '<')} (${place}, ${id})`,
    columns: Prisma.raw(`u.${column}, u.id`),
  };
}

/** The cursor before the first user of a list. */
export function startOf(order: UserOrder): Place {
  if (sortsByEmail(order)) return { key: order === 'email' ? '' : '\u{10ffff}', id: '' };
  return { key: order === 'created_at' ? '-infinity' : 'infinity', id: '' };
}

/**
 * Every filter, on a relation named `u` with the columns of `users`. The provider is looked up per user: for an EXISTS
 * PostgreSQL may materialize all users of the provider.
 */
function matches(value: Value): Prisma.Sql {
  return Prisma.sql`(${value.email} IS NULL OR u.email = ${value.email})
    AND (${value.disabled} IS NULL OR u.disabled = ${value.disabled})
    AND (${value.emailVerified} IS NULL OR u.email_verified = ${value.emailVerified})
    AND (${value.provider} IS NULL OR (SELECT true FROM identities AS i
      WHERE i.app_id = ${value.appId} AND i.user_id = u.id AND i.provider = ${value.provider}))
    AND ${createdBetween(value, Prisma.sql`u.created_at`)}
    AND (${value.v1UsedAfter} IS NULL OR u.v1_last_used_at >= ${value.v1UsedAfter})
    AND (${value.uids} IS NULL OR u.id = ANY(${value.uids}))
    AND (${value.exact} IS NULL OR u.id = upper(${value.exact}) OR u.member_id = ${value.exact}
      OR starts_with(u.email, ${value.address})
      OR ${wordsOfUser} @@ ${wordsQuery(value.appId, value.words, value.domain)})`;
}

function createdBetween({ createdAfter, createdBefore }: Value, column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${column} >= COALESCE(${createdAfter}, '-infinity') AND ${column} < COALESCE(${createdBefore}, 'infinity')`;
}

/** Strings with the prefix, as a range of bytes: a LIKE with a parameter would use no index. */
function startsWith(column: Prisma.Sql, prefix: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${column} >= ${prefix} AND ${column} < ${prefix} || chr(1114111)`;
}

type Ordering = ReturnType<typeof orderOf>;

const everyColumn = Prisma.sql`u.*`;

/**
 * The rows by creation time. Both flags precede it in the index, so that filters on them cost nothing: at most four
 * ranges are read and merged.
 */
function createdRows(value: Value, rows: Prisma.Sql, order: Ordering, columns = everyColumn): Prisma.Sql {
  const flags = [Prisma.sql`false`, Prisma.sql`true`];
  const pairs = flags.flatMap((disabled) => flags.map((verified) => ({ disabled, verified })));
  const ranges = pairs.map(
    ({ disabled, verified }) => Prisma.sql`(SELECT ${columns} FROM users AS u WHERE u.app_id = ${value.appId}
      AND u.disabled = ${disabled} AND u.email_verified = ${verified}
      AND COALESCE(${value.disabled}, ${disabled}) = ${disabled}
      AND COALESCE(${value.emailVerified}, ${verified}) = ${verified}
      AND ${createdBetween(value, Prisma.sql`u.created_at`)} AND ${order.after}
      ORDER BY ${order.by} LIMIT ${rows})`,
  );
  return Prisma.sql`SELECT u.* FROM (${Prisma.join(ranges, ' UNION ALL ')}) AS u ORDER BY ${order.by} LIMIT ${rows}`;
}

/** The first `rows` users of a stream after the cursor, in its order. */
function streamRows(stream: UserStream, value: Value, rows: Prisma.Sql, order: Ordering): Prisma.Sql {
  if (stream === 'created') return createdRows(value, rows, order);
  const where = Prisma.sql`FROM users AS u WHERE u.app_id = ${value.appId} AND ${order.after}`;
  const end = Prisma.sql`ORDER BY ${order.by} LIMIT ${rows}`;
  if (stream === 'email') return Prisma.sql`SELECT u.* ${where} ${end}`;
  const between = createdBetween(value, Prisma.sql`u.created_at`);
  if (stream === 'v1')
    return Prisma.sql`SELECT u.* ${where} AND u.v1_last_used_at IS NOT NULL AND ${between} ${end}`;
  // The identity stores the creation time of its user. LIMIT 1 prevents a join instead of a look-up per user.
  return Prisma.sql`SELECT one.* FROM (SELECT u.user_id, u.created_at FROM (
      SELECT user_id, user_id AS id, user_created_at AS created_at FROM identities
      WHERE app_id = ${value.appId} AND provider = ${value.provider}) AS u
    WHERE ${between} AND ${order.after} ${end}) AS i
    CROSS JOIN LATERAL (SELECT * FROM users WHERE app_id = ${value.appId} AND id = i.user_id LIMIT 1) AS one`;
}

/**
 * Sort key and id of at most `maxRows` users of each part of a set, in the order of its index, mostly by index-only scans.
 */
function setKeys(set: UserSet, value: Value, maxRows: Prisma.Sql, order: Ordering): Prisma.Sql {
  const of = Prisma.sql`SELECT ${order.columns} FROM users AS u WHERE u.app_id = ${value.appId}`;
  if (set === 'uids') return Prisma.sql`${of} AND u.id = ANY(${value.uids})`;
  if (set === 'email') return Prisma.sql`${of} AND u.email = ${value.email}`;
  if (set === 'v1') {
    return Prisma.sql`${of} AND u.v1_last_used_at >= ${value.v1UsedAfter} ORDER BY u.v1_last_used_at LIMIT ${maxRows}`;
  }
  if (set === 'provider') {
    const linked = Prisma.sql`SELECT i.user_id AS id, i.user_created_at AS created_at FROM identities AS i
      WHERE i.app_id = ${value.appId} AND i.provider = ${value.provider} ORDER BY i.user_created_at LIMIT ${maxRows}`;
    return order.column === 'created_at'
      ? linked
      : Prisma.sql`SELECT ${order.columns} FROM (${linked}) AS i
          CROSS JOIN LATERAL (SELECT * FROM users WHERE app_id = ${value.appId} AND id = i.id LIMIT 1) AS u`;
  }
  if (set === 'created') {
    const everywhere = { key: Prisma.sql`'-infinity'`, id: Prisma.sql`''` };
    const columns = Prisma.raw(
      order.column === 'email' ? 'u.created_at, u.id, u.email' : 'u.created_at, u.id',
    );
    const rows = createdRows(value, maxRows, orderOf('created_at', everywhere), columns);
    return Prisma.sql`SELECT ${order.columns} FROM (${rows}) AS u`;
  }
  const email = Prisma.sql`(${of} AND ${startsWith(Prisma.sql`u.email`, value.address)} ORDER BY u.email LIMIT ${maxRows})`;
  const words = Prisma.sql`(${of} AND ${wordsOfUser} @@ ${wordsQuery(value.appId, value.words, value.domain)} LIMIT ${maxRows})`;
  const exact = ['u.id = upper(', 'u.member_id = ('].map(
    (equals) => Prisma.sql`(${of} AND ${Prisma.raw(equals)}${value.exact}))`,
  );
  return Prisma.join([email, words, ...exact], ' UNION ALL ');
}

type Row = { size: number; lastKey: string | null; lastId: string | null } & (ListedUser | { uid: null });

type SetValues = {
  /** A larger set is not sorted. */
  sorted: number;
  /** This many first keys always suffice. */
  keys: number;
};

/** The page of a set of users after the cursor; null if the set is too large to be sorted. */
export async function pageOfSet(
  query: Query,
  set: UserSet,
  order: UserOrder,
  values: Values & SetValues,
): Promise<ListedUser[] | null> {
  const rows = await untilCutOff(
    query<Row>(setStatement(set, order)({ ...values, ...searchTerms(values.q) })),
  );
  return (rows[0]?.size ?? 0) > values.sorted ? null : rows.filter(isUser);
}

/**
 * The matching users in the next `rows` users of the stream, and the cursor at their end; null at the end of the
 * stream.
 */
export async function pageOfStream(
  query: Query,
  stream: UserStream,
  order: UserOrder,
  values: Values & { rows: number },
): Promise<{ users: ListedUser[]; end: Place | null }> {
  const rows = await untilCutOff(
    query<Row>(streamStatement(stream, order)({ ...values, ...searchTerms(values.q) })),
  );
  const [first] = rows;
  const end =
    first && first.size === values.rows && first.lastKey !== null && first.lastId !== null
      ? { key: first.lastKey, id: first.lastId }
      : null;
  return { users: rows.filter(isUser), end };
}

/** The database's own statement timeout, reported like ours on the list. */
async function untilCutOff(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (cause) {
    if (!isCutOff(cause)) throw cause;
    throw new ApiError('admin/query-timeout', { retryAfterSeconds: limits.userQuerySeconds, cause });
  }
}

function isUser(row: Row): row is Row & ListedUser {
  return row.uid !== null;
}

/**
 * The set is counted, then read again for its first keys: only these are held in memory. If the keys are few or in
 * order, one user after the other is read until the page is full. A user may be in several parts of a set.
 */
const setStatement = remembered((set: UserSet, order: UserOrder) =>
  numbered<Bound & SetValues>(setTypes, (value) => {
    const ordering = orderOf(order, value);
    const found = setKeys(set, value, Prisma.sql`${value.sorted} + 1`, ordering);
    // The entries of the index of words have no keys: users found by it are read once and kept.
    const kept = set === 'q' ? Prisma.sql`found AS MATERIALIZED (${found}), ` : Prisma.empty;
    const source = set === 'q' ? Prisma.sql`found` : Prisma.sql`(${found})`;
    return Prisma.sql`WITH ${kept}n AS (SELECT count(*)::int AS size FROM ${source} AS u),
      keys AS (SELECT DISTINCT ON (${ordering.columns}) ${ordering.columns} FROM (
          SELECT ${ordering.columns} FROM ${source} AS u
          WHERE (SELECT size FROM n) <= ${value.sorted} AND ${ordering.after}
          ORDER BY ${ordering.by} LIMIT ${value.keys}) AS u
        ORDER BY ${ordering.by}),
      picked AS (SELECT u.* FROM keys AS k
        CROSS JOIN LATERAL (SELECT * FROM users WHERE app_id = ${value.appId} AND id = k.id LIMIT 1) AS u
        WHERE ${matches(value)} ORDER BY ${ordering.ofKeys} LIMIT ${value.maxRows})
      ${pageFrom(value, ordering, Prisma.sql`NULL::text AS "lastKey", NULL::text AS "lastId"`)}`;
  }),
);

const streamStatement = remembered((stream: UserStream, order: UserOrder) =>
  numbered<Bound & { rows: number }>(streamTypes, (value) => {
    const ordering = orderOf(order, value);
    const last = Prisma.sql`FROM batch AS u ORDER BY ${ordering.reverse} LIMIT 1`;
    return Prisma.sql`WITH batch AS MATERIALIZED (${streamRows(stream, value, value.rows, ordering)}),
      n AS (SELECT count(*)::int AS size FROM batch),
      picked AS (SELECT u.* FROM batch AS u WHERE ${matches(value)} ORDER BY ${ordering.by} LIMIT ${value.maxRows})
      ${pageFrom(
        value,
        ordering,
        Prisma.sql`(SELECT ${ordering.keyText} ${last}) AS "lastKey", (SELECT u.id ${last}) AS "lastId"`,
      )}`;
  }),
);

/** A row for each user of `picked`, with `n.size` on each; one row without a user if there is none. */
function pageFrom(value: Value, ordering: Ordering, last: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT n.size, ${last}, page.* FROM n LEFT JOIN (
      SELECT ${adminUserColumns(value.appId)}, ${ordering.keyText} AS key, u.id, row_number() OVER (ORDER BY ${ordering.by}) AS place
      FROM picked AS u) AS page ON true ORDER BY page.place`;
}

/** Each statement text is built once, so that it is prepared once. */
function remembered<A extends string, B extends string, Made>(
  make: (a: A, b: B) => Made,
): (a: A, b: B) => Made {
  const made = new Map<string, Made>();
  return (a, b) => {
    const name = `${a} ${b}`;
    const known = made.get(name) ?? make(a, b);
    made.set(name, known);
    return known;
  };
}
