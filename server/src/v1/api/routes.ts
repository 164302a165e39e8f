// HTTP of v1; and in v2 of the token exchange and the migration figures.
import { contract, v1Contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { callerOf, clientOf, languageOf, v1TokenOf } from '../../http/caller.js';
import { ok } from '../../http/data-answer.js';
import { forgotPassword, resetPassword } from '../../passwords/reset-password.js';
import { withVerifiedPassword } from '../../passwords/verify-password.js';
import { deleteAccount } from '../../profile/delete-account.js';
import { signOutOfV1 } from '../tokens/end-v1-tokens.js';
import { recordV1Use, requireLiveV1Token } from '../tokens/find-v1-token.js';
import { startV1Token } from '../tokens/start-v1-token.js';
import { exchangeV1Token } from './exchange-token.js';
import { migrationFigures } from './migration-figures.js';
import { register } from './register.js';
import { showUser, showUserWithConfig } from './show-user.js';

export function v1AccountRoutes(deps: Deps) {
  return initServer().router(v1Contract.accounts, {
    register: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const { email, password, first_name: firstName, last_name: lastName } = body;
      const row = await register(deps, app, ipAddress, { email, password, firstName, lastName });
      return { ...success(app, { user: await showUser(deps, app, row) }), status: 201 };
    },
    logIn: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      // Like a sign-in of v2, with the same limits, but it starts a v1 token instead of a session.
      const { token, user } = await withVerifiedPassword(deps, app, ipAddress, body, (credential) =>
        startV1Token(deps, app, credential, ipAddress),
      );
      return success(app, { token, ...(await showUserWithConfig(deps, app, user)) });
    },
    get: async ({ req }) => {
      const { app } = callerOf(req);
      return success(app, await showUserWithConfig(deps, app, v1TokenOf(req)));
    },
    logOut: async ({ req }) => {
      await signOutOfV1(deps, v1TokenOf(req), callerOf(req).ipAddress);
      return success(callerOf(req).app, {});
    },
    forgotPassword: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      await forgotPassword(deps, app, { email: body.email, language: languageOf(req), ipAddress });
      return success(app, {});
    },
    resetPassword: async ({ req, body }) => {
      const { app, ipAddress } = callerOf(req);
      const { email, code, password } = body;
      const language = languageOf(req);
      const own = { flow: null, deviceToken: null, ownUid: null, ipAddress, language };
      const uid = await resetPassword(deps, app, { email, code, password, ...own });
      await recordV1Use(deps, app, uid);
      return success(app, {});
    },
    delete: async ({ req }) => {
      const { app } = callerOf(req);
      const token = v1TokenOf(req);
      await deleteAccount(deps, app, token.uid, {
        requireLive: (tx) => requireLiveV1Token(tx, token),
        language: languageOf(req),
      });
      return success(app, {});
    },
  });
}

function success<T>(app: { slug: string }, data: T) {
  return { status: 200 as const, body: { success: true as const, app: app.slug, data } };
}

export function v1ExchangeRoutes(deps: Deps) {
  return initServer().router(contract.v1Exchange, {
    exchange: async ({ req, res, body }) => {
      const { app } = callerOf(req);
      const { answer, deviceToken } = await exchangeV1Token(deps, app, clientOf(req), body.v1_token);
      res.setHeader('X-Device-Token', deviceToken);
      return ok(answer);
    },
  });
}

export function migrationRoutes(deps: Deps) {
  return initServer().router(contract.migration, {
    get: async ({ req }) => {
      // Read again: the app that the guard has cached may be a few seconds old.
      return ok(await migrationFigures(deps, await deps.apps.fresh(callerOf(req).app.id)));
    },
  });
}
