// How a list of users is read: in which order the index gives the users, and which small set of them could be read instead.

/** The orders a list can have; each is that of an index. */
export type UserOrder = 'created_at' | '-created_at' | 'email' | '-email';

export type UserFilters = {
  q: string | null;
  email: string | null;
  disabled: boolean | null;
  emailVerified: boolean | null;
  provider: string | null;
  createdAfter: string | null;
  createdBefore: string | null;
  v1UsedAfter: string | null;
};

/** An index that gives users in the order of the list; some leave out users that a filter leaves out anyhow. */
export type UserStream = 'created' | 'provider' | 'v1' | 'email';

/** Users that an index finds by a filter alone, in no order that matters. */
export type UserSet = 'email' | 'q' | 'v1' | 'provider' | 'created';

export function sortsByEmail(order: UserOrder): boolean {
  return order.endsWith('email');
}

export function streamOf(filters: UserFilters, order: UserOrder): UserStream {
  if (sortsByEmail(order)) return 'email';
  if (filters.provider !== null) return 'provider';
  return filters.v1UsedAfter === null ? 'created' : 'v1';
}

/**
 * The sets in which all users of the list are, the smallest in all likelihood first; none when the stream has no other
 * users than those of the list, so that its first ones are the page.
 */
export function setsOf(filters: UserFilters, order: UserOrder): UserSet[] {
  const { q, email, disabled, emailVerified, provider, createdAfter, createdBefore, v1UsedAfter } = filters;
  const byCreation = [disabled, emailVerified, createdAfter, createdBefore].some((filter) => filter !== null);
  const sets: UserSet[] = [];
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
  // The creation time stands in this index too; the flags do not.
  return (
    stream === 'provider' &&
    sets.every((set) => set === 'provider' || set === 'created') &&
    flags.every((flag) => flag === null)
  );
}

/**
 * Where the list begins: a bound on the time of creation is a place, too. An index scan that begins at the end of all users
 * would step over those that the bound leaves out, one by one.
 */
export function firstPlace<Place extends { key: string; id: string }>(
  { createdAfter, createdBefore }: UserFilters,
  order: UserOrder,
  place: Place,
): { key: string; id: string } {
  if (order === '-created_at' && createdBefore !== null && isBefore(createdBefore, place.key)) {
    return { key: createdBefore, id: '' };
  }
  if (order === 'created_at' && createdAfter !== null && isBefore(place.key, createdAfter)) {
    return { key: createdAfter, id: '' };
  }
  return place;
}

/** Of times in one form, or the infinities that stand before and behind them all. */
function isBefore(one: string, other: string): boolean {
  if (one === '-infinity' || other === 'infinity') return true;
  return other !== '-infinity' && one !== 'infinity' && one < other;
}
