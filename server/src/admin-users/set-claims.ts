// PUT /admin/users/{uid}/claims: replaces all custom claims. Tokens contain them from the next refresh or sign-in on.
import { limits } from '@foyer/contract';
import { updateUserWithEvent } from '../accounts/write-user.js';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import type { AdminUserRow } from './admin-user.js';
import { checkClaims } from './claims-rules.js';
import { findAdminUser } from './store.js';

export async function setClaims(
  deps: Deps,
  call: Call,
  uid: string,
  claims: Record<string, unknown>,
): Promise<AdminUserRow> {
  requireFitClaims(claims);
  const ids = { appId: call.app.id, uid };
  const now = deps.clock.now();
  return change(deps, call, async (tx, record) => {
    const user = await updateUserWithEvent(tx, ids, { claims }, { now, eventId: deps.random.ulid(now) });
    if (!user) throw new ApiError('auth/user-not-found');
    await record.audit({ action: 'user.claims_set', uid });
    return (await findAdminUser(tx, ids.appId, uid)) as AdminUserRow;
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
