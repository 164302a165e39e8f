// HTTP of the signed-in user's own profile.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { codeSent } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { noContent, ok } from '../http/data-answer.js';
import { sessionIdsOf } from '../model/call.js';
import { profileNames, serializeUser } from '../model/user.js';
import { fromWire } from '../model/wire.js';
import { requireLiveSession } from '../sessions/find-session.js';
import { deleteAccount } from './delete-account.js';
import { updateProfile } from './update-profile.js';
import { confirmEmail, sendEmailChange, sendVerification } from './verify-email.js';

export function profileRoutes(deps: Deps) {
  return initServer().router(contract.profile, {
    get: async ({ req }) => ok(serializeUser(callOf(req).session)),
    update: async ({ req, body }) => {
      const change = fromWire(body, profileNames);
      return ok(serializeUser(await updateProfile(deps, callOf(req), change)));
    },
    delete: async ({ req }) => {
      const call = callOf(req);
      await deleteAccount(deps, call, call.uid, (tx) => requireLiveSession(tx, sessionIdsOf(call)));
      return noContent;
    },
    changeEmail: async ({ req, res, body }) => {
      const call = callOf(req);
      // The email of the account itself is no change, but may need the verification.
      const isOwn = body.email === call.session.email;
      const flow = isOwn ? await sendVerification(deps, call) : await sendEmailChange(deps, call, body.email);
      res.setHeader('X-Code-Flow', flow);
      return ok(codeSent);
    },
    sendVerification: async ({ req, res }) => {
      res.setHeader('X-Code-Flow', await sendVerification(deps, callOf(req)));
      return ok(codeSent);
    },
    confirmVerification: async ({ req, body }) =>
      ok(serializeUser(await confirmEmail(deps, callOf(req), body.code))),
  });
}
