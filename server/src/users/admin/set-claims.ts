// PUT /admin/users/{uid}/claims: the whole set. Tokens carry it from the next refresh or sign-in on.
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { AdminUserRow } from './admin-user.js';
import { fitClaims } from './fit-claims.js';
import { findAdminUser, setClaimsRow } from './store.js';

export async function setClaims(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: { appId: string; uid: string },
  given: Record<string, unknown>,
  actor: Actor,
): Promise<AdminUserRow> {
  const claims = fitClaims(given);
  const { appId, uid } = ids;
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    if (!(await setClaimsRow(tx, { ...ids, eventId: deps.random.ulid(now) }, claims, now)))
      throw new ApiError('auth/user-not-found');
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
