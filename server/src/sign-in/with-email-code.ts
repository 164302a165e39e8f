// Sign-in by emailed code: send, and verify. Specification "Emailed code".
import { queryIn } from '@foyer/prisma';
import { anonymous, recordFailures } from '../audit/record-failure.js';
import { mayMailStranger } from '../codes/mail-budget.js';
import { type CodeRequest, sendCode } from '../codes/send-code.js';
import { type CodeGuess, knownFlow, type ProvenCode, verifyCode } from '../codes/verify-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { retryConflicts } from '../lib/retry.js';
import type { App } from '../model/app.js';
import type { Client } from '../model/session.js';
import { buildSession } from '../sessions/new-session.js';
import { countSignIn, type SignedIn, startSession } from '../sessions/start-session.js';
import { knownDevice } from '../tokens/device-token.js';
import { type Account, findAccountByEmail } from '../users/account.js';
import { countSignUp } from '../users/count-sign-up.js';
import { createUserWithSession } from '../users/create-user.js';
import { confirmEmailOwnership } from '../users/email-ownership.js';

/** Returns the flow of the code. An email that cannot sign in gets a decoy. */
export function sendSignInCode(deps: Deps, app: App, input: CodeRequest): Promise<string> {
  const { email } = input;
  const decoy = async () => {
    const account = await findAccountByEmail(deps.query, app.id, email);
    const isClosed = account === null && app.settings.sign_up === 'closed';
    const isAllowed = await mayMailStranger(deps, app, account === null && !isClosed);
    return isClosed || !isAllowed;
  };
  return sendCode(deps, app, { ...input, purpose: 'sign_in', subject: email, decoy });
}

type EmailCodeSignIn = CodeGuess & {
  email: string;
  firstName: string | null;
  lastName: string | null;
  /** The user of the client's session, if any. */
  ownUid: string | null;
};

export async function signInWithEmailCode(
  deps: Deps,
  app: App,
  client: Client,
  input: EmailCodeSignIn,
): Promise<SignedIn> {
  const { email } = input;
  const { ipAddress, deviceToken } = client;
  const actor = anonymous(ipAddress);
  const action = 'user.sign_in_failed';
  const failure = { appId: app.id, actor, action, email, method: 'email_code' } as const;
  let account = await findAccountByEmail(deps.query, app.id, email);
  const key = { appId: app.id, purpose: 'sign_in', subject: email } as const;
  const flow = await knownFlow(deps, key, input.flow);
  const verify = () => verifyCode(deps, key, { code: input.code, flow });
  const device = knownDevice(deps, app.id, account, deviceToken);
  const guessed = device ?? { email, ipAddress, proof: 'code' as const };
  // Guesses with a flow are counted on its code, so that other clients cannot use them up.
  const code = await recordFailures(deps, failure, () =>
    flow === null ? deps.limiter.countFailure(app, guessed, verify) : verify(),
  );

  const signedIn = await code.authorize(() =>
    retryConflicts('the account kept changing', async () => {
      const found = account;
      const attempt = () =>
        recordFailures(deps, failure, () =>
          signInOnce(deps, app, client, { ...input, code, account: found }),
        );
      const done = found === null ? await countSignUp(deps, app, attempt) : await attempt();
      if (done === null) account = await findAccountByEmail(deps.query, app.id, email);
      return done;
    }),
  );
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
      const { uid } = account;
      const use = { ...client, by: 'sign_in', ownSession: input.ownUid === uid } as const;
      const credentialVersion = await confirmEmailOwnership(tx, deps, app, account, use);
      if (credentialVersion === null) return null;
      const session = buildSession(deps, app, client, uid, 'email_code');
      const proof = { uid, credentialVersion, newPasswordHash: null };
      signedIn = await startSession(deps, app, session, proof, tx);
    }
    if (signedIn) await code.spend(tx);
    return signedIn;
  });
}
