// The filters of the list of users, as they are in the query string.
import { isSearchLongEnough, limits } from '@foyer/contract';
import { dayIn, oneOf, queryOf, textIn } from '../../search-params.ts';

export type UserSearch = {
  q?: string | undefined;
  disabled?: 'true' | 'false' | undefined;
  email_verified?: 'true' | 'false' | undefined;
  /** An id: also of a provider of the settings. */
  provider?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  v1_used_after?: string | undefined;
  order?: 'created_at' | 'email' | '-email' | undefined;
};

export function userSearch(search: Record<string, unknown>): UserSearch {
  const flags = ['true', 'false'] as const;
  const q = textIn(search.q, limits.maxPushTokenCharacters);
  return {
    q: q !== undefined && isSearchLongEnough(q.trim()) ? q : undefined,
    disabled: oneOf(flags, search.disabled),
    email_verified: oneOf(flags, search.email_verified),
    provider: textIn(search.provider, limits.maxProviderIdCharacters),
    created_after: dayIn(search.created_after),
    created_before: dayIn(search.created_before),
    v1_used_after: dayIn(search.v1_used_after),
    order: oneOf(['created_at', 'email', '-email'] as const, search.order),
  };
}

/** The filters as the SDK takes them. */
export function filtersOf(search: UserSearch) {
  const flag = (text: 'true' | 'false' | undefined) => text && text === 'true';
  const { disabled, email_verified, ...filters } = queryOf(search);
  return { ...filters, disabled: flag(disabled), email_verified: flag(email_verified) };
}

/** What the search finds, for the hint at its inputs. */
export const findableWords = 'name, email, @domain, user id, member id or device token';
