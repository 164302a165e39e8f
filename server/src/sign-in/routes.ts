// HTTP of the ways in.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callerOf, clientOf, codeFlowOf, languageOf, sessionOf } from '../http/caller.js';
import { reauthenticate } from './reauthenticate.js';
import { signUp } from './sign-up.js';
import { sendSignInCode, signInWithEmailCode } from './with-email-code.js';
import { signInWithPassword } from './with-password.js';
import { signInWithProviderA, signInWithProviderB } from './with-provider.js';

export function signInRoutes(deps: Deps) {
  return initServer().router(contract.signIn, {
    signUp: async ({ req, body }) => {
      const data = await signUp(deps, callerOf(req).app, clientOf(req), {
        email: body.email,
        password: body.password,
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
      });
      return { status: 201, body: { data } };
    },
    withPassword: async ({ req, body }) => {
      const data = await signInWithPassword(deps, callerOf(req).app, clientOf(req), body);
      return { status: 200, body: { data } };
    },
    withProviderA: async ({ req, body }) => {
      const { app } = callerOf(req);
      const { answer, isNewUser } = await signInWithProviderA(
        deps,
        app,
        clientOf(req),
        body,
        languageOf(req),
      );
      return { status: 200, body: { data: { ...answer, is_new_user: isNewUser } } };
    },
    withProviderB: async ({ req, body }) => {
      const { app } = callerOf(req);
      const { answer } = await signInWithProviderB(deps, app, clientOf(req), body, languageOf(req));
      return { status: 200, body: { data: answer } };
    },
    sendEmailCode: async ({ req, res, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: body.email, language: languageOf(req), ipAddress };
      res.setHeader('X-Code-Flow', await sendSignInCode(deps, app, input));
      return { status: 200, body: { data: codeSent } };
    },
    withEmailCode: async ({ req, body }) => {
      const { app, session } = callerOf(req);
      const data = await signInWithEmailCode(deps, app, clientOf(req), {
        email: body.email,
        code: body.code,
        flow: codeFlowOf(req),
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
        ownUid: session?.uid ?? null,
        language: languageOf(req),
      });
      return { status: 200, body: { data } };
    },
    reauthenticate: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const proof = { ...body, flow: codeFlowOf(req) };
      const data = await reauthenticate(deps, app, sessionOf(req), proof, ipAddress);
      return { status: 200, body: { data } };
    },
  });
}
