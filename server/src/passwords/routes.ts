// HTTP of forgotten, reset and changed passwords.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callerOf, codeFlowOf, deviceTokenOf, languageOf, sessionOf } from '../http/caller.js';
import { noContent, ok } from '../http/data-answer.js';
import { changePassword } from './change-password.js';
import { forgotPassword, resetPassword } from './reset-password.js';

export function passwordRoutes(deps: Deps) {
  return initServer().router(contract.passwords, {
    forgot: async ({ req, res, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: body.email, language: languageOf(req), ipAddress };
      res.setHeader('X-Code-Flow', await forgotPassword(deps, app, input));
      return ok(codeSent);
    },
    reset: async ({ req, body }) => {
      const { app, ipAddress, session } = callerOf(req);
      const ownUid = session?.uid ?? null;
      const input = { ...body, flow: codeFlowOf(req), deviceToken: deviceTokenOf(req), ipAddress, ownUid };
      await resetPassword(deps, app, { ...input, language: languageOf(req) });
      return noContent;
    },
    change: async ({ req, body }) => {
      await changePassword(deps, callerOf(req).app, {
        password: body.password,
        currentPassword: body.current_password,
        session: sessionOf(req),
        language: languageOf(req),
        ipAddress: callerOf(req).ipAddress,
      });
      return noContent;
    },
  });
}
