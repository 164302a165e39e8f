import type { UserFilters } from '../src/admin-users/list/list-rules.js';

/** A list of all users. */
export const noFilters: UserFilters = {
  q: null,
  email: null,
  disabled: null,
  emailVerified: null,
  provider: null,
  createdAfter: null,
  createdBefore: null,
  v1UsedAfter: null,
  uids: null,
};
