// The numeric id under which v1 shows a user; assigned when v1 first shows the user.
import type { UserIds } from '../accounts/account.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { assignV1Id, findV1Id } from './store.js';

export async function requireV1Id(
  deps: Pick<Deps, 'prisma' | 'query' | 'clock'>,
  ids: UserIds,
): Promise<number> {
  const assigned = await deps.prisma.$transaction((tx) => assignV1Id(tx, ids, deps.clock.now()));
  // A parallel call assigned one; or the account was deleted under this one.
  const id = assigned ?? (await findV1Id(deps.query, ids));
  if (id === null) throw new ApiError('auth/invalid-token');
  return id;
}
