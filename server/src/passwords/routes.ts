// HTTP of forgotten, reset and changed passwords.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { noContent, ok } from '../http/data-answer.js';
import { changePassword } from './change-password.js';
import { forgotPassword, resetPassword } from './reset-password.js';

export function passwordRoutes(deps: Deps) {
  return initServer().router(contract.passwords, {
    forgot: async ({ req, res, body }) => {
      res.setHeader('X-Code-Flow', await forgotPassword(deps, callOf(req), body.email));
      return ok(codeSent);
    },
    reset: async ({ req, res, body }) => {
      const { deviceToken } = await resetPassword(deps, callOf(req), body);
      res.setHeader('X-Device-Token', deviceToken);
      return noContent;
    },
    change: async ({ req, res, body }) => {
      res.setHeader('X-Device-Token', await changePassword(deps, callOf(req), body));
      return noContent;
    },
  });
}
