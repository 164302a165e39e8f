// GET /admin/users: a page of the list, read by the cheapest access path.
import { type AdminUser, charactersOf, InstantInput, limits, text, Ulid } from '@foyer/contract';
import * as z from 'zod';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import { decodeCursor } from '../../lib/cursor.js';
import { type Page, pageOf } from '../../lib/page.js';
import { findUserOfToken } from '../../push/devices/find-user-of-token.js';
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
  const filters = await withUserOfToken(deps, appId, list.filters);
  const users = filters === null ? [] : await listUsers(deps, appId, { ...list, filters, after });
  return pageOf(users, limit, ({ key, uid }) => [order, key, uid], serializeAdminUser);
}

/** The push tokens of every provider are longer than this, and nothing else that the search finds is beyond its limit. */
const minTokenCharacters = 32;

/** Looks up what may be a push token, and searches for its user instead; null if the text can be nothing else. */
async function withUserOfToken(
  { query }: Pick<Deps, 'query'>,
  appId: string,
  filters: UserFilters,
): Promise<UserFilters | null> {
  const { q } = filters;
  if (q === null || q.length < minTokenCharacters || /\s/.test(q)) return filters;
  const uid = await findUserOfToken(query, appId, q);
  if (uid !== null) return { ...filters, q: uid };
  return charactersOf(q) > limits.userSearchCharacters.max ? null : filters;
}

const EmailKey = text({ max: limits.maxEmailCharacters });

/** A cursor is order, sort key and id of the last user: valid only for its order; the filters may differ. */
function placeOf(cursor: string, order: UserOrder): Place {
  const keyShape = sortsByEmail(order) ? EmailKey : InstantInput;
  const [, key, id] = decodeCursor(cursor, z.literal(order), keyShape, Ulid);
  return { key, id };
}

const firstBatch = 500;
/** Users checked before a search, so that no large set is read for a text that many users have. */
const glance = 200;
/** This many among them: a page is sooner filled by checking the next ones. */
const manyInGlance = 2;
/** A user occurs at most this often in a set: by email, words, uid and member id. */
const timesInSet = 4;

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
  let next: Place | null = start;
  let rows = sets.length === 0 ? limit + 1 : Math.min(firstBatch, batch);
  if (sets[0] === 'q') {
    const checked = Math.min(glance, batch);
    const values = { ...filters, ...start, appId, maxRows: limit + 1, rows: checked };
    const first = await pageOfStream(query, stream, order, values);
    if (first.users.length > limit || first.end === null) return first.users;
    if (first.users.length >= manyInGlance) {
      users.push(...first.users);
      next = first.end;
      rows = Math.min(Math.ceil((2 * checked * limit) / users.length), batch);
    }
  }
  // A small set is sorted first, or after the batch that should have filled the page.
  const isSkipped = next !== start;
  let isSetNext = !isSkipped;
  let judged = 0;
  let slowest = 0;
  while (next !== null) {
    if (isSetNext) {
      const rest = await pageOfSets(next, few);
      if (rest) return [...users, ...rest];
    }
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
    isSetNext = isSkipped && judged === 0;
    judged += rows;
    if (next && judged >= near && judged - rows < near) {
      const rest = await pageOfSets(next, alone && !sortsByEmail(order) ? many : manyRead);
      if (rest) return [...users, ...rest];
    }
    rows = Math.min(rows * 4, batch);
  }
  return users;
}
