// Sign-in by emailed code: send, and verify. Specification "Emailed code".
import { queryIn } from '@foyer/prisma';
import { anonymous, type Failure, recordFailures } from '../audit/record-failure.js';
import { newFlow } from '../codes/code-flow.js';
import { mayMailCode, mayMailStranger } from '../codes/mail-budget.js';
import { requireMailer, sendCode } from '../codes/send-code.js';
import { type CodeGuess, type ProvenCode, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import type { Client } from '../model/session.js';
import { buildSession, countSignIn, type SignedIn, startSessionIn } from '../sessions/start-session.js';
import { knownDevice } from '../tokens/device-token.js';
import { type Account, findAccountByEmail } from '../users/account.js';
import { countSignUp } from '../users/count-sign-up.js';
import { createUserWithSession } from '../users/create-user.js';
import { confirmEmailOwnership } from '../users/email-ownership.js';

/** Returns the flow of the code. An email that cannot sign in gets a decoy. */
export async function sendSignInCode(
  deps: Deps,
  app: App,
  input: { email: string; language: string | undefined; ipAddress: string | null },
): Promise<string> {
  requireMailer(deps);
  const { email, language } = input;
  if (!(await mayMailCode(deps, app, { ...input, purpose: 'sign_in' }))) return newFlow(deps);
  const account = await findAccountByEmail(deps.query, app.id, email);
  const isClosed = account === null && app.settings.sign_up === 'closed';
  const isAllowed = await mayMailStranger(deps, app, account === null && !isClosed);
  const decoy = isClosed || !isAllowed;
  return sendCode(deps, app, { purpose: 'sign_in', subject: email, email, decoy, language });
}

export type EmailCodeSignIn = CodeGuess & {
  email: string;
  firstName: string | null;
  lastName: string | null;
  /** The user of the client's session, if any. */
  ownUid: string | null;
  language: string | undefined;
};

export async function signInWithEmailCode(
  deps: Deps,
  app: App,
  client: Client,
  input: EmailCodeSignIn,
): Promise<SignedIn> {
  const { email } = input;
  const actor = anonymous(client.ipAddress);
  const { ipAddress, deviceToken } = client;
  const failure: Failure = {
    appId: app.id,
    actor,
    action: 'user.sign_in_failed',
    email,
    method: 'email_code',
  };
  let account = await findAccountByEmail(deps.query, app.id, email);
  const verify = () => verifyCode(deps, { appId: app.id, purpose: 'sign_in', subject: email }, input);
  const device = knownDevice(deps, app.id, account, deviceToken);
  const guessed = device ?? { email, ipAddress, proof: 'code' as const };
  // Guesses with a flow are counted on its code, so that other clients cannot use them up.
  const code = await recordFailures(deps, failure, () =>
    input.flow === null ? deps.limiter.countFailure(app, guessed, verify) : verify(),
  );

  const signedIn = await retryConflicts('the account kept changing', async () => {
    const found = account;
    const attempt = () =>
      recordFailures(deps, failure, () => signInOnce(deps, app, client, { ...input, code, account: found }));
    const started = found === null ? await countSignUp(deps, app, attempt) : await attempt();
    if (started === null) account = await findAccountByEmail(deps.query, app.id, email);
    return started;
  });
  deps.queue.wake();
  return countSignIn(deps, app, 'email_code', signedIn);
}

/** Null when the account was created, changed or deleted since it was read. */
async function signInOnce(
  deps: Deps,
  app: App,
  client: Client,
  input: Omit<EmailCodeSignIn, 'code'> & { code: ProvenCode; account: Account | null },
): Promise<SignedIn | null> {
  const { email, firstName, lastName, code, account } = input;
  if (account?.disabled) throw new ApiError('auth/user-disabled');
  return deps.prisma.$transaction(async (tx) => {
    let signedIn: SignedIn | null;
    if (account === null) {
      const user = { email, emailVerified: true, emailProven: true, firstName, lastName, passwordHash: null };
      signedIn = await createUserWithSession(queryIn(tx), deps, app, client, 'email_code', user);
    } else {
      const ownSession = input.ownUid === account.uid;
      const credentialVersion = await confirmEmailOwnership(tx, deps, app, account, {
        by: 'sign_in',
        ownSession,
        language: input.language,
        ipAddress: client.ipAddress,
      });
      if (credentialVersion === null) return null;
      const draft = buildSession(deps, app, client, 'email_code');
      const proof = { uid: account.uid, credentialVersion, newPasswordHash: null };
      signedIn = await startSessionIn(tx, deps, app, draft, proof);
    }
    if (signedIn) await code.spend(tx);
    return signedIn;
  });
}
