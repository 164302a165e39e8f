// Selects the code that a confirmation refers to.
import type { Deps } from '../deps.js';
import { hashOfFlow } from './code-hash.js';
import { intendedPurpose } from './code-rules.js';
import { findCodesOf } from './store.js';

/** Verification and email change are confirmed at the same endpoint; a flow in the call selects the code. `email` is that of the code, if there is one. */
export async function purposeToConfirm(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
  uid: string,
  flow: string | null,
): Promise<{ purpose: 'email_change' | 'verification'; email: string | null }> {
  const ids = { appId, subject: uid };
  const ofFlow = flow !== null && { flowHash: new Uint8Array(hashOfFlow(flow)) };
  let codes = await findCodesOf(deps.prisma, { ...ids, ...ofFlow });
  // A flow that identifies no code counts as none.
  if (codes.size === 0 && flow !== null) codes = await findCodesOf(deps.prisma, ids);
  const email_change = codes.get('email_change') ?? null;
  const verification = codes.get('verification') ?? null;
  const purpose = intendedPurpose({ email_change, verification }, deps.clock.now());
  return { purpose, email: codes.get(purpose)?.email ?? null };
}
