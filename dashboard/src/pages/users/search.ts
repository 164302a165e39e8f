// The filters of the list of users, as they are in the query string.
import { charactersOf } from '@foyer/contract';
import { dayIn, oneOf, textIn } from '../../search-params.ts';

export type UserSearch = {
  q?: string | undefined;
  disabled?: 'true' | 'false' | undefined;
  email_verified?: 'true' | 'false' | undefined;
  provider?: 'provider-a' | 'provider-b' | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  v1_used_after?: string | undefined;
  order?: 'created_at' | 'email' | '-email' | undefined;
};

export function userSearch(search: Record<string, unknown>): UserSearch {
  const flags = ['true', 'false'] as const;
  const q = textIn(search.q, 100);
  return {
    q: isLongEnough(q) ? q : undefined,
    disabled: oneOf(flags, search.disabled),
    email_verified: oneOf(flags, search.email_verified),
    provider: oneOf(['provider-a', 'provider-b'] as const, search.provider),
    created_after: dayIn(search.created_after),
    created_before: dayIn(search.created_before),
    v1_used_after: dayIn(search.v1_used_after),
    order: oneOf(['created_at', 'email', '-email'] as const, search.order),
  };
}

export const minCharacters = 2;

export function isLongEnough(q = ''): boolean {
  return charactersOf(q.trim()) >= minCharacters;
}
