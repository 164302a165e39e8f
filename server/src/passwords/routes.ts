// HTTP of forgotten, reset and changed passwords.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callerOf, languageOf, sessionOf } from '../http/caller.js';
import { changePassword } from './change-password.js';
import { forgotPassword } from './forgot-password.js';
import { resetPassword } from './reset-password.js';

export function passwordRoutes(deps: Deps) {
  return initServer().router(contract.passwords, {
    forgot: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: body.email, language: languageOf(req), ipAddress };
      return { status: 200, body: { data: await forgotPassword(deps, app, input) } };
    },
    reset: async ({ req, body }) => {
      const { app, ipAddress, session } = callerOf(req);
      const ownUid = session?.uid ?? null;
      await resetPassword(deps, app, { ...body, ipAddress, ownUid, language: languageOf(req) });
      return { status: 204, body: undefined };
    },
    change: async ({ req, body }) => {
      await changePassword(deps, callerOf(req).app, {
        password: body.password,
        currentPassword: body.current_password,
        session: sessionOf(req),
        language: languageOf(req),
        ipAddress: callerOf(req).ipAddress,
      });
      return { status: 204, body: undefined };
    },
  });
}
