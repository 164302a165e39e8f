// Sign-in with a provider: by the provider's `sub`, else by its email, which finds the account or creates it.
import type { ErrorCode } from '@foyer/contract';
import { queryIn, type Tx } from '@foyer/prisma';
import { findAccountByEmail } from '../accounts/account.js';
import type { VerifiedCredential } from '../accounts/update-fragments.js';
import { type Failure, recordFailure, recordRefused } from '../audit/record-failure.js';
import { changeInTurn, turnOf } from '../change.js';
import type { Deps } from '../deps.js';
import { linkByVerifiedEmail, linkToNewAccount } from '../identities/link-identity.js';
import type { ProviderProof } from '../identities/proof.js';
import { methodOf } from '../identities/provider.js';
import { RefusedToken, recordRefusal } from '../identities/refused-token.js';
import { spendProof } from '../identities/spend-proof.js';
import { findIdentityOwner, hasIdentity } from '../identities/store.js';
import type { ProviderAccount } from '../identities/verify-id-token.js';
import { withVerifiedProof } from '../identities/verify-provider-account.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import type { PersonNames } from '../model/user.js';
import { finishSignIn } from '../second-factor/finish-sign-in.js';
import { type FirstStep, type SignedIn, startSession } from '../sessions/start-session.js';
import { countSignUp } from '../sign-up/count-sign-up.js';
import { createUserWithSession } from '../sign-up/create-user.js';

type ProviderSignIn = { started: FirstStep; isNewUser: boolean };

/**
 * Signs in, and creates or links the account at the first time. Provider B returns the names of a user to the client then, and
 * never in a token: `namesGiven`.
 */
export async function signInWithProvider(
  deps: Deps,
  call: Call,
  proof: ProviderProof,
  namesGiven: PersonNames | null,
): Promise<SignedIn & { isNewUser: boolean }> {
  const attempt = { proof, failure: 'user.sign_in_failed' } as const;
  const { started, isNewUser } = await withVerifiedProof(deps, call, attempt, (account, failure) =>
    signInOnce(deps, call, { account, names: namesGiven ?? account.profile, failure }),
  );
  return { ...(await finishSignIn(deps, call.app, started, isNewUser)), isNewUser };
}

type Attempt = { account: ProviderAccount; names: PersonNames; failure: Failure };

/** Returns null to try again: the account changed and nothing was done, or the identity has just been linked. */
async function signInOnce(deps: Deps, call: Call, attempt: Attempt): Promise<ProviderSignIn | null> {
  const { account, failure, names } = attempt;
  const { id: appId } = call.app;
  const refusal = (code: ErrorCode, uid: string) => {
    const error = new ApiError(code);
    recordFailure(deps, call, { ...failure, uid }, error);
    return error;
  };
  const owner = await findIdentityOwner(deps.prisma, appId, account);
  if (owner) {
    if (owner.disabled) throw refusal('auth/user-disabled', owner.uid);
    return startFor(deps, call, attempt, { ...owner, newPasswordHash: null });
  }
  const { email, proof } = account;
  // The `sub` is unknown, and there is no email to find or create an account by.
  if (email === null || !(account.emailVerified || account.createsUnverified)) {
    const reason = email === null ? 'no-email' : 'unverified-email';
    const refused = new RefusedToken(reason, proof, 'auth/email-required');
    recordRefusal(deps, call, proof.provider, refused);
    recordFailure(deps, call, failure, refused);
    throw refused;
  }
  const match = await findAccountByEmail(deps.query, appId, email);
  if (match === null) return createFor(deps, call, attempt, email);
  const isLinked = await hasIdentity(deps.prisma, match, account.provider);
  // A concurrent call of the same person has created or linked it meanwhile.
  if (isLinked && (await findIdentityOwner(deps.prisma, appId, account))) return null;
  // An account with an unverified email may not belong to the owner of the email, nor one at a provider with such an email.
  if (!match.emailVerified || !account.emailVerified)
    throw refusal('auth/account-exists-with-different-credential', match.uid);
  if (match.disabled) throw refusal('auth/user-disabled', match.uid);
  // Another person at the same provider with the email of this account: emails are reassigned, a `sub` is not.
  if (isLinked) throw refusal('auth/account-exists-with-different-credential', match.uid);
  const { uid } = match;
  const link = (tx: Tx) => linkByVerifiedEmail(tx, deps, call, { uid, account, names });
  await changeInTurn(deps, call, link, turnOf(uid));
  return null;
}

function startFor(
  deps: Deps,
  call: Call,
  { account, failure }: Attempt,
  credential: VerifiedCredential,
): Promise<ProviderSignIn | null> {
  const start = async (tx: Tx) => {
    const started = await startSession(deps, call, { method: methodOf(account.provider), credential }, tx);
    if (!started) return null;
    await recordRefused(deps, call, failure, () => spendProof(tx, deps, call.app, account));
    return { started, isNewUser: false };
  };
  return changeInTurn(deps, call, start, turnOf(credential.uid));
}

async function createFor(
  deps: Deps,
  call: Call,
  { account, names, failure }: Attempt,
  email: string,
): Promise<ProviderSignIn | null> {
  const { app, ip } = call;
  const { emailVerified: isProven, profile } = account;
  const proven = { emailVerified: isProven, emailProven: isProven };
  const user = { email, ...proven, ...names, photoUrl: profile.photoUrl, passwordHash: null };
  const signIn = { method: methodOf(account.provider), user };
  const make = () =>
    changeInTurn(deps, call, async (tx) => {
      const started = await createUserWithSession(queryIn(tx), deps, call, signIn);
      if (!started) return null;
      const ids = { appId: app.id, uid: started.uid };
      // A parallel call linked the same person under another email: roll this account back.
      if (!(await linkToNewAccount(tx, deps, ids, account))) throw new LinkedMeanwhile();
      await recordRefused(deps, call, failure, () => spendProof(tx, deps, app, account));
      return { started, isNewUser: true };
    });
  try {
    return await countSignUp(deps, app, { ip, isProven }, make);
  } catch (error) {
    if (error instanceof LinkedMeanwhile) return null;
    throw error;
  }
}

class LinkedMeanwhile extends Error {}
