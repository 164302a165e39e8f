// Selects the code that a confirmation refers to, and deletes the codes of an account.
import type { Deps } from '../deps.js';
import { hashOfFlow } from './code-hash.js';
import { intendedPurpose } from './code-rules.js';
import { findCodesOf } from './store.js';

export { deleteCodesOf, endEmailChange } from './store.js';

/** Both purposes share one endpoint; a flow token in the call selects the code. */
export async function purposeToConfirm(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
  uid: string,
  flow: string | null,
): Promise<'email_change' | 'verification'> {
  const ids = { appId, subject: uid };
  const ofFlow = flow !== null && { flowHash: new Uint8Array(hashOfFlow(flow)) };
  let codes = await findCodesOf(deps.prisma, { ...ids, ...ofFlow });
  // A flow that identifies no code counts as none.
  if (codes.size === 0 && flow !== null) codes = await findCodesOf(deps.prisma, ids);
  const email_change = codes.get('email_change') ?? null;
  const verification = codes.get('verification') ?? null;
  return intendedPurpose({ email_change, verification }, deps.clock.now());
}
