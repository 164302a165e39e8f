// HTTP of the sign-in methods.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callerOf, clientOf, codeFlowOf, deviceTokenOf, languageOf, sessionOf } from '../http/caller.js';
import { reauthenticate } from './reauthenticate.js';
import { signUp } from './sign-up.js';
import { sendSignInCode, signInWithEmailCode } from './with-email-code.js';
import { signInWithPassword } from './with-password.js';
import { signInWithProviderA, signInWithProviderB } from './with-provider.js';

export function signInRoutes(deps: Deps) {
  return initServer().router(contract.signIn, {
    signUp: async ({ req, res, body }) => {
      const { answer, deviceToken } = await signUp(deps, callerOf(req).app, clientOf(req), {
        email: body.email,
        password: body.password,
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
      });
      res.setHeader('X-Device-Token', deviceToken);
      return { status: 201, body: { data: answer } };
    },
    withPassword: async ({ req, res, body }) => {
      const { app } = callerOf(req);
      const { answer, deviceToken } = await signInWithPassword(deps, app, clientOf(req), body);
      res.setHeader('X-Device-Token', deviceToken);
      return { status: 200, body: { data: answer } };
    },
    withProviderA: async ({ req, res, body }) => {
      const { app } = callerOf(req);
      const { answer, deviceToken, isNewUser } = await signInWithProviderA(
        deps,
        app,
        clientOf(req),
        body,
        languageOf(req),
      );
      res.setHeader('X-Device-Token', deviceToken);
      return { status: 200, body: { data: { ...answer, is_new_user: isNewUser } } };
    },
    withProviderB: async ({ req, res, body }) => {
      const { app } = callerOf(req);
      const client = clientOf(req);
      const { answer, deviceToken } = await signInWithProviderB(deps, app, client, body, languageOf(req));
      res.setHeader('X-Device-Token', deviceToken);
      return { status: 200, body: { data: answer } };
    },
    sendEmailCode: async ({ req, res, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: body.email, language: languageOf(req), ipAddress };
      res.setHeader('X-Code-Flow', await sendSignInCode(deps, app, input));
      return { status: 200, body: { data: codeSent } };
    },
    withEmailCode: async ({ req, res, body }) => {
      const { app, session } = callerOf(req);
      const { answer, deviceToken } = await signInWithEmailCode(deps, app, clientOf(req), {
        email: body.email,
        code: body.code,
        flow: codeFlowOf(req),
        firstName: body.first_name ?? null,
        lastName: body.last_name ?? null,
        ownUid: session?.uid ?? null,
        language: languageOf(req),
      });
      res.setHeader('X-Device-Token', deviceToken);
      return { status: 200, body: { data: answer } };
    },
    reauthenticate: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const proof = { ...body, flow: codeFlowOf(req), deviceToken: deviceTokenOf(req) };
      const data = await reauthenticate(deps, app, sessionOf(req), proof, ipAddress);
      return { status: 200, body: { data } };
    },
  });
}
