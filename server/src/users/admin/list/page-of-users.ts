// Serializes a page of users, and its cursor: order, sort key and id of the last user.
import { type AdminUser, InstantInput, limits, text, Ulid } from '@foyer/contract';
import { z } from 'zod';
import type { Deps } from '../../../deps.js';
import { decodeCursor } from '../../../lib/cursor.js';
import { type Page, pageOf } from '../../../lib/page.js';
import { serializeAdminUser } from '../admin-user.js';
import { sortsByEmail, type UserFilters, type UserOrder } from './list-rules.js';
import { listUsers } from './list-users.js';

export type PageOfUsers = {
  filters: UserFilters;
  order: UserOrder;
  limit: number;
  cursor: string | undefined;
};

export async function pageOfUsers(
  deps: Pick<Deps, 'query' | 'elapsed'>,
  appId: string,
  { filters, order, limit, cursor }: PageOfUsers,
): Promise<Page<AdminUser>> {
  const after = cursor === undefined ? null : placeOf(cursor, order);
  const users = await listUsers(deps, appId, { filters, order, limit, after });
  return pageOf(users, limit, ({ key, uid }) => [order, key, uid], serializeAdminUser);
}

const EmailKey = text({ max: limits.maxEmailCharacters });

/** A cursor is valid only for its order; the filters may differ. */
function placeOf(cursor: string, order: UserOrder) {
  const key = sortsByEmail(order) ? EmailKey : InstantInput;
  const [, found, id] = decodeCursor(cursor, z.literal(order), key, Ulid);
  return { key: found, id };
}
