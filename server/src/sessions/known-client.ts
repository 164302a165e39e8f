// A known client has proved an earlier sign-in to an account; every other client that names its email is a stranger. Both have
// budgets of their own, so that strangers cannot use up those of the user.
import type { KnownClient } from '../../engines/limiter/index.js';
import { type Account, findAccountByEmail } from '../accounts/account.js';
import { hashOfFlow } from '../codes/code-hash.js';
import type { CodePurpose } from '../codes/store.js';
import type { Deps } from '../deps.js';
import type { Call } from '../model/call.js';
import { knownDevice } from '../tokens/device-token.js';
import { hasSignedInWithFlow } from './store.js';

/** A client can prove an earlier sign-in by its device token, the session of the call, or the flow of a code. */
type Client = Pick<Call, 'app' | 'deviceToken' | 'uid' | 'codeFlow'>;

/** Recognizes a known client by the device token of the account, or by a session of it. */
export function knownClient(
  deps: Pick<Deps, 'keyRing' | 'clock'>,
  { app, deviceToken, uid }: Omit<Client, 'codeFlow'>,
  account: Account | null,
): KnownClient | null {
  const device = knownDevice(deps, app.id, account, deviceToken);
  if (device) return device;
  return account && account.uid === uid ? { uid } : null;
}

/** Tells whether the email is verified, or a code or a provider has proved it. */
export function hasVerifiedEmail(account: Account | null): boolean {
  return account !== null && (account.emailVerified || account.emailProven);
}

/** The email counts as verified for the codes of this purpose. Verification itself is for those that were only proven, too. */
export function isVerifiedFor(account: Account, purpose: CodePurpose): boolean {
  return purpose === 'verification' ? account.emailVerified : hasVerifiedEmail(account);
}

/** The id of no user. It is queried for an email without an account, so that the work is equal. */
const nobody = '0'.repeat(26);

/**
 * Returns the client that asks for a code, if it is known to the account of the email. The flow of a code that it signed in
 * with makes it known, too. Which queries are made depends on what the client sent, not on the account.
 */
export async function findKnownSender(
  deps: Pick<Deps, 'keyRing' | 'clock' | 'query'>,
  call: Client,
  email: string,
): Promise<{ client: KnownClient; isVerified: boolean } | null> {
  const { app, codeFlow = null } = call;
  if (call.deviceToken === null && call.uid === null && codeFlow === null) return null;
  const account = await findAccountByEmail(deps.query, app.id, email);
  const ids = { appId: app.id, uid: account?.uid ?? nobody };
  const isOfFlow = codeFlow !== null && (await hasSignedInWithFlow(deps.query, ids, hashOfFlow(codeFlow)));
  const client = knownClient(deps, call, account) ?? (isOfFlow ? { uid: ids.uid } : null);
  return account && client && { client, isVerified: hasVerifiedEmail(account) };
}
