// Which of a user's codes a guess is meant for; and the end of all codes of an account.
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../deps.js';
import { hashOfFlow } from './code-flow.js';
import { judgeMeant } from './code-rules.js';
import { deleteCode, deleteCodesOf, findCodesOf } from './store.js';

/** Of the two that are confirmed in one place: that of the flow, where the call names one. */
export async function meantPurpose(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  appId: string,
  uid: string,
  flow: string | null,
): Promise<'email_change' | 'verification'> {
  const ofFlow = flow !== null && { flowHash: new Uint8Array(hashOfFlow(flow)) };
  const codes = await findCodesOf(deps.prisma, { appId, subject: uid, ...ofFlow });
  const email_change = codes.get('email_change') ?? null;
  const verification = codes.get('verification') ?? null;
  return judgeMeant({ email_change, verification }, deps.clock.now());
}

/** A change of email that is under way dies with the sessions: whoever asked for it may be who is signed out. */
export function endEmailChange(
  tx: Prisma.TransactionClient,
  { appId, uid }: { appId: string; uid: string },
): Promise<void> {
  return deleteCode(tx, { appId, purpose: 'email_change', subject: uid });
}

export function forgetCodes(tx: Prisma.TransactionClient, appId: string, subjects: string[]): Promise<void> {
  return deleteCodesOf(tx, appId, subjects);
}
