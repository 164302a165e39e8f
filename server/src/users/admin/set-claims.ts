// PUT /admin/users/{uid}/claims: replaces all custom claims. Tokens contain them from the next refresh or sign-in on.
import { limits } from '@foyer/contract';
import { writeAuditEntry } from '../../audit/entry.js';
import type { Deps } from '../../deps.js';
import { ApiError } from '../../lib/api-error.js';
import type { Actor } from '../../model/actor.js';
import type { UserIds } from '../account.js';
import { updateUserWithEvent } from '../write-user.js';
import type { AdminUserRow } from './admin-user.js';
import { checkClaims } from './claims-rules.js';
import { findAdminUser } from './store.js';

export async function setClaims(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random'>,
  ids: UserIds,
  claims: Record<string, unknown>,
  actor: Actor,
): Promise<AdminUserRow> {
  requireFitClaims(claims);
  const { appId, uid } = ids;
  const now = deps.clock.now();
  return deps.prisma.$transaction(async (tx) => {
    const user = await updateUserWithEvent(tx, deps, ids, { claims }, { now });
    if (!user) throw new ApiError('auth/user-not-found');
    await writeAuditEntry(tx, deps, { appId, actor, action: 'user.claims_set', target: `user:${uid}`, uid });
    return (await findAdminUser(tx, appId, uid)) as AdminUserRow;
  });
}

/** Throws `admin/claims-too-large` or `admin/reserved-claim`. */
export function requireFitClaims(claims: Record<string, unknown>): void {
  const verdict = checkClaims(claims);
  if (verdict === 'fit') return;
  if (verdict === 'too-large') {
    const sentence = `must have at most ${limits.maxClaimsBytes} bytes as JSON`;
    throw new ApiError('admin/claims-too-large', { fields: { claims: [sentence] } });
  }
  const sentences = ['is the name of a claim of the service'];
  const fields = verdict.reserved.map((name) => [`claims.${name}`, sentences]);
  throw new ApiError('admin/reserved-claim', { fields: Object.fromEntries(fields) });
}
