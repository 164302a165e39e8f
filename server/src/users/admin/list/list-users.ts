// GET /admin/users: a page of the list, read by the cheapest access path.
import { type AdminUser, InstantInput, limits, text, Ulid } from '@foyer/contract';
import * as z from 'zod';
import type { Deps } from '../../../deps.js';
import { ApiError } from '../../../lib/api-error.js';
import { decodeCursor } from '../../../lib/cursor.js';
import { type Page, pageOf } from '../../../lib/page.js';
import { serializeAdminUser } from '../admin-user.js';
import {
  firstPlace,
  type Place,
  setsOf,
  sortsByEmail,
  streamOf,
  type UserFilters,
  type UserOrder,
} from './list-rules.js';
import { type ListedUser, pageOfSet, pageOfStream, startOf } from './store.js';

export type UserList = { filters: UserFilters; order: UserOrder; limit: number; after: Place | null };

export async function pageOfUsers(
  deps: Pick<Deps, 'query' | 'elapsed'>,
  appId: string,
  { cursor, ...list }: Omit<UserList, 'after'> & { cursor: string | undefined },
): Promise<Page<AdminUser>> {
  const { order, limit } = list;
  const after = cursor === undefined ? null : placeOf(cursor, order);
  const users = await listUsers(deps, appId, { ...list, after });
  return pageOf(users, limit, ({ key, uid }) => [order, key, uid], serializeAdminUser);
}

const EmailKey = text({ max: limits.maxEmailCharacters });

/** A cursor is order, sort key and id of the last user: valid only for its order; the filters may differ. */
function placeOf(cursor: string, order: UserOrder): Place {
  const keyShape = sortsByEmail(order) ? EmailKey : InstantInput;
  const [, key, id] = decodeCursor(cursor, z.literal(order), keyShape, Ulid);
  return { key, id };
}

const firstBatch = 500;
/** A user occurs at most this often in a set: by email, names, uid and member id. */
const timesInSet = 5;

const usual = {
  /** A set up to this size is sorted at once. */
  few: 10_000,
  /**
   * Users checked in the order of the list before a larger set is sorted: enough for a page if the matches are spread.
   */
  near: 5_000,
  /** A larger set is sorted by its index entries, at about a microsecond a user. */
  many: 1_000_000,
  /** The maximum if each of its users must be read, too. */
  manyRead: 100_000,
  /** Users checked in one statement: few, since the embedded database runs nothing else meanwhile. */
  batch: 4_000,
};

/** The users of the page, and one more if the list continues; `admin/query-timeout` within five seconds. */
export async function listUsers(
  { query, elapsed }: Pick<Deps, 'query' | 'elapsed'>,
  appId: string,
  { filters, order, limit, after }: UserList,
  { few, near, many, manyRead, batch } = usual,
): Promise<ListedUser[]> {
  const until = elapsed() + limits.userQuerySeconds * 1_000;
  const sets = setsOf(filters, order);
  const stream = streamOf(filters, order);
  // All users of the set are then in the list.
  const alone = sets.length === 1;
  const users: ListedUser[] = [];

  async function pageOfSets({ key, id }: Place, sorted: number): Promise<ListedUser[] | null> {
    const maxRows = limit + 1 - users.length;
    const keys = alone ? maxRows * timesInSet : sorted * timesInSet;
    for (const set of sets) {
      const page = await pageOfSet(query, set, order, { ...filters, key, id, appId, maxRows, sorted, keys });
      if (page) return page;
    }
    return null;
  }

  const { key, id } = firstPlace(filters, order, after ?? startOf(order));
  const start = { key, id };
  const page = await pageOfSets(start, few);
  if (page) return page;
  let rows = sets.length === 0 ? limit + 1 : Math.min(firstBatch, batch);
  let judged = 0;
  let slowest = 0;
  for (let next: Place | null = start; next !== null; ) {
    const began = elapsed();
    // No batch starts that would end too late.
    if (began + slowest >= until) {
      throw new ApiError('admin/query-timeout', { retryAfterSeconds: limits.userQuerySeconds });
    }
    const maxRows: number = limit + 1 - users.length;
    const met = await pageOfStream(query, stream, order, { ...filters, ...next, appId, maxRows, rows });
    users.push(...met.users);
    next = users.length <= limit ? met.end : null;
    slowest = Math.max(slowest, elapsed() - began);
    judged += rows;
    if (next && judged >= near && judged - rows < near) {
      const rest = await pageOfSets(next, alone && !sortsByEmail(order) ? many : manyRead);
      if (rest) return [...users, ...rest];
    }
    rows = Math.min(rows * 4, batch);
  }
  return users;
}
