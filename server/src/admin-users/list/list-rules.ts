// How a list of users is read: the index whose order is that of the list, and the smaller sets of users that could be
// read instead.

/** The sort orders of a list; each is that of an index. */
export type UserOrder = 'created_at' | '-created_at' | 'email' | '-email';

/** A cursor: the sort key of the last user, as text, and the id. */
export type Place = { key: string; id: string };

export type UserFilters = {
  q: string | null;
  email: string | null;
  disabled: boolean | null;
  emailVerified: boolean | null;
  provider: string | null;
  createdAfter: string | null;
  createdBefore: string | null;
  v1UsedAfter: string | null;
  uids: string[] | null;
};

/** An index in the order of the list; some omit users that a filter excludes anyway. */
export type UserStream = 'created' | 'provider' | 'v1' | 'email';

/** Users that an index finds by a filter, in any order. */
export type UserSet = 'uids' | 'email' | 'q' | 'v1' | 'provider' | 'created';

export function sortsByEmail(order: UserOrder): boolean {
  return order.endsWith('email');
}

export function streamOf(filters: UserFilters, order: UserOrder): UserStream {
  if (sortsByEmail(order)) return 'email';
  if (filters.provider !== null) return 'provider';
  return filters.v1UsedAfter === null ? 'created' : 'v1';
}

/**
 * The sets that contain all users of the list, probably smallest first; none if the stream contains only users of the
 * list, so that its first ones are the page.
 */
export function setsOf(filters: UserFilters, order: UserOrder): UserSet[] {
  const { uids, q, email, disabled, emailVerified, provider, createdAfter, createdBefore, v1UsedAfter } =
    filters;
  const byCreation = [disabled, emailVerified, createdAfter, createdBefore].some((filter) => filter !== null);
  const sets: UserSet[] = [];
  if (uids !== null) sets.push('uids');
  if (email !== null) sets.push('email');
  if (q !== null) sets.push('q');
  if (v1UsedAfter !== null) sets.push('v1');
  if (provider !== null) sets.push('provider');
  if (byCreation) sets.push('created');
  const ordered = sets.length === 0 || isOrderedBy(streamOf(filters, order), sets, [disabled, emailVerified]);
  return ordered ? [] : sets;
}

function isOrderedBy(stream: UserStream, sets: UserSet[], flags: (boolean | null)[]): boolean {
  if (stream === 'created') return sets.every((set) => set === 'created');
  // This index also contains the creation time, but not the flags.
  return (
    stream === 'provider' &&
    sets.every((set) => set === 'provider' || set === 'created') &&
    flags.every((flag) => flag === null)
  );
}

/**
 * The start of the list: a bound on the creation time is a cursor, too. An index scan from the end of all users would
 * skip those that the bound excludes one by one. Timestamps of one format compare as texts, `-infinity` and `infinity` too.
 */
export function firstPlace(
  { createdAfter, createdBefore }: UserFilters,
  order: UserOrder,
  place: Place,
): Place {
  if (order === '-created_at' && createdBefore !== null && createdBefore < place.key) {
    return { key: createdBefore, id: '' };
  }
  if (order === 'created_at' && createdAfter !== null && place.key < createdAfter) {
    return { key: createdAfter, id: '' };
  }
  return place;
}
