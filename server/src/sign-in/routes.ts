// HTTP of the sign-in methods.
import { contract, limits } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { clientIp } from '../../engines/http-guard/index.js';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, ok } from '../http/data-answer.js';
import { constantAnswer, sendConstant } from '../http/json-answer.js';
import { beginRedirect } from '../identities/begin-redirect.js';
import { proofOf, proofOfProvider } from '../identities/proof.js';
import { requireKnownProvider } from '../identities/provider.js';
import { proofOfCode } from '../identities/redirect-code.js';
import { type Callback, returnFromProvider } from '../identities/return-from-provider.js';
import { ApiError } from '../lib/api-error.js';
import { signInOptions } from '../passkeys/options.js';
import type { SignedIn } from '../sessions/start-session.js';
import { reauthenticate } from './reauthenticate.js';
import { signInMethodsOf } from './sign-in-methods.js';
import { sendSignInCode, signInWithEmailCode } from './with-email-code.js';
import { signInWithPasskey } from './with-passkey.js';
import { signInWithPassword, signUp } from './with-password.js';
import { signInWithProvider } from './with-provider.js';

export function signInRoutes(deps: Deps) {
  return initServer().router(contract.signIn, {
    methods: async ({ req, res, headers }) => {
      const answer = constantAnswer({ data: signInMethodsOf(deps.config, callOf(req).app) });
      // Not by shared caches, which would answer origins that the app does not allow.
      res.setHeader('Cache-Control', `private, max-age=${limits.methodsCacheSeconds}`);
      res.vary('X-App-Key');
      return sendConstant(res, answer, headers['if-none-match']);
    },
    signUp: async ({ req, res, body }) => {
      const input = { ...body, ...namesOf(body) };
      return created(answerOf(res, await signUp(deps, callOf(req), input)));
    },
    withPassword: async ({ req, res, body }) =>
      ok(answerOf(res, await signInWithPassword(deps, callOf(req), body))),
    withProviderA: async ({ req, res, body }) => {
      const signedIn = await signInWithProvider(deps, callOf(req), proofOf(body), null);
      return ok({ ...answerOf(res, signedIn), is_new_user: signedIn.isNewUser });
    },
    withProviderB: async ({ req, res, body }) => {
      const names = givenNamesOf(body);
      return ok(answerOf(res, await signInWithProvider(deps, callOf(req), proofOf(body), names)));
    },
    withProvider: async ({ req, res, params, body }) => {
      const call = callOf(req);
      requireKnownProvider(call.app, params.provider);
      const proof = proofOfProvider(params.provider, body);
      const signedIn = await signInWithProvider(deps, call, proof, givenNamesOf(body));
      return ok({ ...answerOf(res, signedIn), is_new_user: signedIn.isNewUser });
    },
    beginRedirect: async ({ req, params, body }) =>
      ok(await beginRedirect(deps, callOf(req).app, params.provider, body)),
    finishRedirect: async ({ req, res, body }) => {
      const call = callOf(req);
      const signedIn = await signInWithProvider(deps, call, proofOfCode(deps, call.app, body), null);
      return ok({ ...answerOf(res, signedIn), is_new_user: signedIn.isNewUser });
    },
    redirectCallback: ({ req, res, params: { provider }, query: parameters }) => {
      // A program that checks the link must not use up the code of the provider.
      if (req.method === 'HEAD')
        throw new ApiError('request/method-not-allowed', { headers: { Allow: 'GET, POST' } });
      return redirected(deps, res, { provider, parameters, ip: clientIp(req) });
    },
    redirectFormCallback: ({ req, res, params: { provider }, body: parameters }) =>
      redirected(deps, res, { provider, parameters, ip: clientIp(req) }),
    passkeyOptions: async ({ req }) => ok(await signInOptions(deps, callOf(req))),
    withPasskey: async ({ req, res, body }) =>
      ok(answerOf(res, await signInWithPasskey(deps, callOf(req), body.credential))),
    sendEmailCode: async ({ req, res, body }) => {
      res.setHeader('X-Code-Flow', await sendSignInCode(deps, callOf(req), body.email));
      return ok(codeSent);
    },
    withEmailCode: async ({ req, res, body }) => {
      const input = { ...body, ...namesOf(body) };
      return ok(answerOf(res, await signInWithEmailCode(deps, callOf(req), input)));
    },
    reauthenticate: async ({ req, body }) => ok(await reauthenticate(deps, callOf(req), body)),
  });
}

async function redirected(
  deps: Deps,
  res: { setHeader(name: string, value: string): unknown },
  callback: Callback,
) {
  res.setHeader('Location', await returnFromProvider(deps, callback));
  res.setHeader('Cache-Control', 'no-store');
  return { status: 303 as const, body: undefined };
}

/** The body of a sign-in, whose device token is a header. */
function answerOf(res: { setHeader(name: string, value: string): unknown }, signedIn: SignedIn) {
  res.setHeader('X-Device-Token', signedIn.deviceToken);
  return signedIn.answer;
}

type NamesInput = { first_name?: string | null | undefined; last_name?: string | null | undefined };

function namesOf(body: NamesInput) {
  return { firstName: body.first_name ?? null, lastName: body.last_name ?? null };
}

/** Null if the client sent none: then those of the provider are used. */
function givenNamesOf(body: NamesInput) {
  const given = namesOf(body);
  return given.firstName === null && given.lastName === null ? null : given;
}
