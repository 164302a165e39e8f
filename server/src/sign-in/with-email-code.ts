// Sign-in by emailed code: send, and verify. Specification "Emailed code".
import { queryIn } from '@foyer/prisma';
import type { App } from '../apps/app.js';
import { anonymous, notingFailure } from '../audit/noting-failure.js';
import { newFlow } from '../codes/code-flow.js';
import { type CodeGuess, proveCode } from '../codes/prove-code.js';
import { demandMailer, sendCode } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { type Client, draftSession, startSessionIn } from '../sessions/start-session.js';
import type { TokenAnswer } from '../tokens/token-answer.js';
import { createUserWithSession } from '../users/create-user.js';
import { accountByEmail } from '../users/find-account.js';
import { proveEmail } from '../users/prove-email.js';

/** Returns the flow of the code. An email that could not be signed in with gets a decoy. */
export async function sendSignInCode(
  deps: Deps,
  app: App,
  input: { email: string; language: string | undefined; ipAddress: string | null },
): Promise<string> {
  demandMailer(deps);
  const { email, language } = input;
  if (!(await deps.limiter.consumeMail(app, email, input.ipAddress))) return newFlow(deps);
  const account = await accountByEmail(deps, app, email);
  const decoy = account === null && app.settings.sign_up === 'closed';
  return sendCode(deps, app, { purpose: 'sign_in', subject: email, email, decoy, language });
}

export type EmailCodeSignIn = CodeGuess & {
  email: string;
  firstName: string | null;
  lastName: string | null;
  /** The user whose session the client holds, if any. */
  ownUid: string | null;
  language: string | undefined;
};

/** Each further try means that the account changed between look-up and start. */
const mostTries = 3;

export function signInWithEmailCode(
  deps: Deps,
  app: App,
  client: Client,
  input: EmailCodeSignIn,
): Promise<TokenAnswer> {
  const { email } = input;
  const actor = anonymous(client.ipAddress);
  const action = 'user.sign_in_failed';
  return notingFailure(deps, { appId: app.id, actor, action, email, method: 'email_code' }, () =>
    signInWithCode(deps, app, client, input),
  );
}

async function signInWithCode(
  deps: Deps,
  app: App,
  client: Client,
  input: EmailCodeSignIn,
): Promise<TokenAnswer> {
  const { email, firstName, lastName } = input;
  const { ipAddress } = client;
  const prove = () => proveCode(deps, { appId: app.id, purpose: 'sign_in', subject: email }, input);
  // The guesses at the code of a flow are counted with that code, where no stranger can use them up.
  const code = await (input.flow === null
    ? deps.limiter.countFailure(app, { email, ipAddress }, prove)
    : prove());

  for (let tries = 0; tries < mostTries; tries += 1) {
    const account = await accountByEmail(deps, app, email);
    if (account?.disabled) throw new ApiError('auth/user-disabled');
    const answer = await deps.prisma.$transaction(async (tx) => {
      let answer: TokenAnswer | null;
      if (account === null) {
        const user = {
          email,
          emailVerified: true,
          emailProven: true,
          firstName,
          lastName,
          passwordHash: null,
        };
        answer = await createUserWithSession(queryIn(tx), deps, app, client, 'email_code', user);
      } else {
        const ownSession = input.ownUid === account.uid;
        const credentialVersion = await proveEmail(tx, deps, app, account, {
          by: 'sign_in',
          ownSession,
          language: input.language,
          ipAddress: client.ipAddress,
        });
        if (credentialVersion === null) return null;
        const draft = draftSession(deps, app, client, 'email_code');
        const proof = { uid: account.uid, credentialVersion, newPasswordHash: null };
        answer = await startSessionIn(tx, deps, app, draft, proof);
      }
      if (answer) await code.spend(tx);
      return answer;
    });
    if (answer) {
      deps.queue.nudge();
      return answer;
    }
  }
  throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: 'the account kept changing' });
}
