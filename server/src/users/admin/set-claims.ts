// PUT /admin/users/{uid}/claims: replaces all custom claims. Tokens contain them from the next refresh or sign-in on.
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { UserIds } from '../account.js';
import { updateUserWithEvent } from '../write-user.js';
import type { AdminUserRow } from './admin-user.js';
import { fitClaims } from './fit-claims.js';
import { findAdminUser } from './store.js';

export async function setClaims(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: UserIds,
  input: Record<string, unknown>,
  actor: Actor,
): Promise<AdminUserRow> {
  const claims = fitClaims(input);
  const { appId, uid } = ids;
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    const user = await updateUserWithEvent(tx, deps, ids, { claims }, { now });
    if (!user) throw new ApiError('auth/user-not-found');
    await writeAuditEntry(tx, deps, {
      appId,
      actor,
      action: 'user.claims_set',
      target: `user:${uid}`,
      uid,
    });
    return (await findAdminUser(tx, appId, uid)) as AdminUserRow;
  });
}
