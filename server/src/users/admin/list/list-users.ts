// GET /admin/users: a page of the list, read from the index that gives it in the cheapest way.
import { limits } from '@foyer/contract';
import type { Deps } from '../../../deps.js';
import { ApiError } from '../../../lib/api-error.js';
import {
  firstPlace,
  setsOf,
  sortsByEmail,
  streamOf,
  type UserFilters,
  type UserOrder,
} from './list-rules.js';
import { type ListedUser, type Place, pageOfSet, pageOfStream, startOf } from './store.js';

export type UserList = { filters: UserFilters; order: UserOrder; limit: number; after: Place | null };

const firstBatch = 500;
/** A user is found at most so often in a set: by email, names, uid and member id. */
const timesInSet = 5;

const usual = {
  /** A set with no more users is sorted at once. */
  few: 10_000,
  /** Users judged in the order of the list before a larger set is sorted: the page is among them if its users are spread. */
  near: 5_000,
  /** A larger set is sorted by what its index holds, at about a microsecond a user. */
  many: 1_000_000,
  /** Unless each of its users has to be read, too. */
  manyRead: 100_000,
  /** Users judged in one statement: short, since an embedded database does nothing else meanwhile. */
  batch: 4_000,
};

/** The users of the page, and one more where the list goes on; `admin/query-timeout` within five seconds. */
export async function listUsers(
  { query, elapsed }: Pick<Deps, 'query' | 'elapsed'>,
  appId: string,
  { filters, order, limit, after }: UserList,
  { few, near, many, manyRead, batch } = usual,
): Promise<ListedUser[]> {
  const until = elapsed() + limits.userQuerySeconds * 1_000;
  const sets = setsOf(filters, order);
  const stream = streamOf(filters, order);
  // Then all users of the set are in the list.
  const alone = sets.length === 1;
  const users: ListedUser[] = [];

  async function pageOfSets({ key, id }: Place, sorted: number): Promise<ListedUser[] | null> {
    const most = limit + 1 - users.length;
    const keys = alone ? most * timesInSet : sorted * timesInSet;
    for (const set of sets) {
      const page = await pageOfSet(query, set, order, { ...filters, key, id, appId, most, sorted, keys });
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
    // No batch is begun that would end too late.
    if (began + slowest >= until) {
      throw new ApiError('admin/query-timeout', { retryAfterSeconds: limits.userQuerySeconds });
    }
    const most: number = limit + 1 - users.length;
    const met = await pageOfStream(query, stream, order, { ...filters, ...next, appId, most, rows });
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
