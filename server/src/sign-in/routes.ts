// HTTP of the sign-in methods.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callerOf, clientOf, codeFlowOf, deviceTokenOf, languageOf, sessionOf } from '../http/caller.js';
import { created, ok } from '../http/data-answer.js';
import { proofOf } from '../identities/proof.js';
import type { SignedIn } from '../sessions/start-session.js';
import { reauthenticate } from './reauthenticate.js';
import { sendSignInCode, signInWithEmailCode } from './with-email-code.js';
import { signInWithPassword, signUp } from './with-password.js';
import { signInWithProvider } from './with-provider.js';

export function signInRoutes(deps: Deps) {
  return initServer().router(contract.signIn, {
    signUp: async ({ req, res, body }) => {
      const input = { ...body, ...namesOf(body) };
      const data = answerOf(res, await signUp(deps, callerOf(req).app, clientOf(req), input));
      return created(data);
    },
    withPassword: async ({ req, res, body }) => {
      const signedIn = await signInWithPassword(deps, callerOf(req).app, clientOf(req), body);
      return ok(answerOf(res, signedIn));
    },
    withProviderA: async ({ req, res, body }) => {
      const { app } = callerOf(req);
      const signedIn = await signInWithProvider(deps, app, clientOf(req), proofOf(body), null);
      const data = { ...answerOf(res, signedIn), is_new_user: signedIn.isNewUser };
      return ok(data);
    },
    withProviderB: async ({ req, res, body }) => {
      const { app } = callerOf(req);
      const given = namesOf(body);
      const names = given.firstName === null && given.lastName === null ? null : given;
      const signedIn = await signInWithProvider(deps, app, clientOf(req), proofOf(body), names);
      return ok(answerOf(res, signedIn));
    },
    sendEmailCode: async ({ req, res, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: body.email, language: languageOf(req), ipAddress };
      res.setHeader('X-Code-Flow', await sendSignInCode(deps, app, input));
      return ok(codeSent);
    },
    withEmailCode: async ({ req, res, body }) => {
      const { app, session } = callerOf(req);
      const use = { flow: codeFlowOf(req), ownUid: session?.uid ?? null };
      const input = { ...body, ...namesOf(body), ...use };
      const data = answerOf(res, await signInWithEmailCode(deps, app, clientOf(req), input));
      return ok(data);
    },
    reauthenticate: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const proof = { ...body, flow: codeFlowOf(req), deviceToken: deviceTokenOf(req) };
      const data = await reauthenticate(deps, app, sessionOf(req), proof, ipAddress);
      return ok(data);
    },
  });
}

/** The body of a sign-in, whose device token is a header. */
function answerOf(res: { setHeader(name: string, value: string): unknown }, signedIn: SignedIn) {
  res.setHeader('X-Device-Token', signedIn.deviceToken);
  return signedIn.answer;
}

function namesOf(body: { first_name?: string | null | undefined; last_name?: string | null | undefined }) {
  return { firstName: body.first_name ?? null, lastName: body.last_name ?? null };
}
