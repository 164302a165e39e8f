// HTTP of the signed-in user's own profile.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callerOf, codeFlowOf, languageOf, sessionOf, userIdsOf } from '../http/caller.js';
import { noContent, ok } from '../http/data-answer.js';
import { serializeUser } from '../model/user.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { updateProfile } from '../users/change-account.js';
import { deleteAccount } from './delete-account.js';
import { confirmEmail, sendEmailChange, sendVerification } from './verify-email.js';

export function profileRoutes(deps: Deps) {
  return initServer().router(contract.profile, {
    get: async ({ req }) => ok(serializeUser(sessionOf(req))),
    update: async ({ req, body }) => {
      const user = await updateProfile(deps, callerOf(req).app, sessionOf(req), {
        firstName: body.first_name,
        lastName: body.last_name,
        photoUrl: body.photo_url,
      });
      return ok(serializeUser(user));
    },
    delete: async ({ req }) => {
      const ids = userIdsOf(req);
      await deleteAccount(deps, callerOf(req).app, ids.uid, {
        requireLive: (tx) => requireLiveSession(tx, ids),
        language: languageOf(req),
      });
      return noContent;
    },
    changeEmail: async ({ req, res, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: body.email, language: languageOf(req), ipAddress };
      res.setHeader('X-Code-Flow', await sendEmailChange(deps, app, userIdsOf(req), input));
      return ok(codeSent);
    },
    sendVerification: async ({ req, res }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { email: sessionOf(req).email, language: languageOf(req), ipAddress };
      res.setHeader('X-Code-Flow', await sendVerification(deps, app, userIdsOf(req), input));
      return ok(codeSent);
    },
    confirmVerification: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const input = { code: body.code, flow: codeFlowOf(req), language: languageOf(req), ipAddress };
      const user = await confirmEmail(deps, app, userIdsOf(req), input);
      return ok(serializeUser(user));
    },
  });
}
