// Sign-in with provider A or B (specification, "Provider A, account matching"): by the provider's `sub`, else by a verified
// email, which finds the account or creates it.
import type { ErrorCode } from '@foyer/contract';
import { queryIn } from '@foyer/prisma';
import { anonymous, type Failure, recordFailure, recordFailures } from '../audit/record-failure.js';
import type { Deps } from '../deps.js';
import { queueCodeExchange } from '../identities/exchange-code.js';
import { linkByVerifiedEmail, linkToNewAccount } from '../identities/link-identity.js';
import type { ProviderProof } from '../identities/proof.js';
import { methodOf } from '../identities/provider.js';
import type { ProviderAccount } from '../identities/verify-id-token.js';
import {
  findIdentityOwner,
  hasIdentity,
  verifyProviderAccount,
} from '../identities/verify-provider-account.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import type { Client } from '../model/session.js';
import { buildSession } from '../sessions/new-session.js';
import { countSignIn, type SignedIn, startSession } from '../sessions/start-session.js';
import { findAccountByEmail } from '../users/account.js';
import { countSignUp } from '../users/count-sign-up.js';
import { createUserWithSession } from '../users/create-user.js';

type ProviderSignIn = SignedIn & { isNewUser: boolean };
type Names = { firstName: string | null; lastName: string | null };

/** `namesGiven`: the names that provider B returns to the client at the first sign-in, and never in a token. */
export async function signInWithProvider(
  deps: Deps,
  app: App,
  client: Client,
  proof: ProviderProof,
  namesGiven: Names | null,
): Promise<ProviderSignIn> {
  const method = methodOf[proof.provider];
  const actor = anonymous(client.ipAddress);
  const failure: Failure = { appId: app.id, actor, action: 'user.sign_in_failed', method };
  const account = await recordFailures(deps, failure, () => verifyProviderAccount(deps, app, proof));
  const attempt = { account, proof, names: namesGiven ?? account.profile, failure };
  // A parallel call may link, create, change or delete the account.
  const done = await retryConflicts(
    'the account kept changing',
    () => signInOnce(deps, app, client, attempt),
    5,
  );
  deps.queue.wake();
  return countSignIn(deps, app, method, done);
}

type Attempt = { account: ProviderAccount; proof: ProviderProof; names: Names; failure: Failure };

/** Null when the account changed since it was read, with nothing done, or when it is linked now: try again. */
async function signInOnce(
  deps: Deps,
  app: App,
  client: Client,
  attempt: Attempt,
): Promise<ProviderSignIn | null> {
  const { account, failure } = attempt;
  const refusal = (code: ErrorCode, uid?: string) => {
    recordFailure(deps, { ...failure, ...(uid !== undefined && { uid }) }, code);
    return new ApiError(code);
  };
  const owner = await findIdentityOwner(deps.prisma, app.id, account);
  if (owner) {
    if (owner.disabled) throw refusal('auth/user-disabled', owner.uid);
    return startFor(deps, app, client, attempt, owner);
  }
  const { email } = account;
  // An unknown `sub`, and no verified email to find or create an account by.
  if (email === null || !account.emailVerified) throw refusal('auth/invalid-credential');
  const match = await findAccountByEmail(deps.query, app.id, email);
  if (match === null) return createFor(deps, app, client, attempt, email);
  // An account with an unverified email may not belong to the owner of the email.
  if (!match.emailVerified) throw refusal('auth/account-exists-with-different-credential', match.uid);
  if (match.disabled) throw refusal('auth/user-disabled', match.uid);
  // Another person at the same provider with the email of this account: emails are reassigned, a `sub` is not.
  if (await hasIdentity(deps.prisma, { appId: app.id, uid: match.uid }, account.provider)) {
    // Unless it is the same person, whom a concurrent call has linked meanwhile.
    if (await findIdentityOwner(deps.prisma, app.id, account)) return null;
    throw refusal('auth/account-exists-with-different-credential', match.uid);
  }
  await deps.prisma.$transaction((tx) =>
    linkByVerifiedEmail(tx, deps, app, { ...account, email }, match.uid, attempt.names, client),
  );
  return null;
}

async function startFor(
  deps: Deps,
  app: App,
  client: Client,
  { account, proof }: Attempt,
  owner: { uid: string; credentialVersion: number },
): Promise<ProviderSignIn | null> {
  const { uid, credentialVersion } = owner;
  const session = buildSession(deps, app, client, uid, methodOf[account.provider]);
  const credential = { uid, credentialVersion, newPasswordHash: null };
  return deps.prisma.$transaction(async (tx) => {
    const signedIn = await startSession(deps, app, session, credential, tx);
    if (!signedIn) return null;
    await queueCodeExchange(tx, deps, app, account, proof);
    return { ...signedIn, isNewUser: false };
  });
}

async function createFor(
  deps: Deps,
  app: App,
  client: Client,
  { account, proof, names }: Attempt,
  email: string,
): Promise<ProviderSignIn | null> {
  const method = methodOf[account.provider];
  const { photoUrl } = account.profile;
  const user = { email, emailVerified: true, emailProven: true, ...names, photoUrl, passwordHash: null };
  const make = () =>
    deps.prisma.$transaction(async (tx) => {
      const signedIn = await createUserWithSession(queryIn(tx), deps, app, client, method, user);
      if (!signedIn) return null;
      // A parallel call linked the same person under another email: roll this account back.
      if (!(await linkToNewAccount(tx, deps, app, account, signedIn.answer.user.uid)))
        throw new LinkedMeanwhile();
      await queueCodeExchange(tx, deps, app, account, proof);
      return { ...signedIn, isNewUser: true };
    });
  try {
    return await countSignUp(deps, app, make);
  } catch (error) {
    if (error instanceof LinkedMeanwhile) return null;
    throw error;
  }
}

class LinkedMeanwhile extends Error {}
